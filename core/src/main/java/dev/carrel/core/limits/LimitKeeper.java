package dev.carrel.core.limits;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.ResourceLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Finds, by trying, what holds limits on this machine, and uses the first that does: cgroup v2, a
 * scope of the user's systemd, cgroup v1, or else resource limits with a watch. What was asked for
 * and cannot be held is a failure before anything starts.
 *
 * <p>Threads may share one.
 */
public final class LimitKeeper implements AutoCloseable {

    private static final String PROBE = Group.PREFIX + "probe";

    private final Mechanisms mechanisms;

    /** For this machine; nothing is tried yet. */
    public LimitKeeper() {
        this(Mechanisms.ofThisMachine());
    }

    LimitKeeper(Mechanisms mechanisms) {
        this.mechanisms = mechanisms;
    }

    /**
     * Prepares the limits of one command.
     *
     * @param session names the session for the kernel's trees; unique on this machine
     * @param total what all commands of the session may use together, where the kernel can count
     *     that
     * @param limits what this command may use
     * @throws UnsupportedHostException if a limit cannot be held here
     */
    public Enforcement enforce(String session, ResourceLimits total, ResourceLimits limits)
            throws InterruptedException {
        if (!limits.needsKernel()) {
            return new Watchdog("none", limits, OptionalLong.empty(), OptionalInt.empty());
        }
        Map<String, String> reasons = new LinkedHashMap<>();
        Optional<Enforcement> held = first(session, total, limits, limits.requireCgroup(), reasons);
        return held.orElseThrow(() -> cannot(limits, reasons));
    }

    /** What the first mechanism that can made; {@code reasons} takes why those before it cannot. */
    private Optional<Enforcement> first(
            String session,
            ResourceLimits total,
            ResourceLimits limits,
            boolean cgroupOnly,
            Map<String, String> reasons)
            throws InterruptedException {
        for (Mechanism mechanism : mechanisms.inOrder(cgroupOnly, reasons)) {
            try {
                return Optional.of(mechanism.enforce(session, total, limits));
            } catch (Refused e) {
                reasons.put(mechanism.name(), String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    private static UnsupportedHostException cannot(
            ResourceLimits limits, Map<String, String> reasons) {
        List<String> asked = new ArrayList<>();
        limits.memory().ifPresent(_ -> asked.add("limits.memory"));
        limits.pids().ifPresent(_ -> asked.add("limits.pids"));
        limits.cpus().ifPresent(_ -> asked.add("limits.cpus"));
        List<String> lines = new ArrayList<>();
        reasons.forEach((name, reason) -> lines.add(name + ": " + reason));
        return new UnsupportedHostException(
                String.join(", ", asked)
                        + (asked.size() > 1 ? " cannot all be held" : " cannot be held")
                        + " on this machine"
                        + (limits.requireCgroup() ? " as limits.require: cgroup asks" : "")
                        + ": "
                        + String.join("; ", lines),
                limits.requireCgroup()
                        ? "Give the user a control group (a login under systemd has one), run as root, or unset limits.require."
                        : "Give the user a control group (a login under systemd has one), run as root, or unset what cannot be held.");
    }

    /**
     * Makes sure that the limits of a session that is still to be made can be held. What every
     * session has is not tried before its first command.
     *
     * @throws UnsupportedHostException if one of them cannot
     */
    public void require(ResourceLimits limits) throws InterruptedException {
        if (!limits.equals(ResourceLimits.DEFAULT)) {
            enforce(PROBE, ResourceLimits.NONE, limits).close();
        }
    }

    /** Removes what dead processes of Carrel left in the kernel's trees. */
    public void sweep() {
        mechanisms.known().forEach(Mechanism::sweep);
    }

    /**
     * What holds limits here, tried for real.
     *
     * @param holding the mechanism that is used, if there is one
     * @param reasons why those before it are not
     */
    public record Finding(Optional<String> holding, Map<String, String> reasons) {
        public Finding {
            reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
        }
    }

    /** Tries memory and number of processes, and processors apart. */
    public Finding find(ResourceLimits limits) throws InterruptedException {
        Map<String, String> reasons = new LinkedHashMap<>();
        Optional<Enforcement> tried = first(PROBE, ResourceLimits.NONE, limits, false, reasons);
        tried.ifPresent(Enforcement::close);
        return new Finding(tried.map(Enforcement::mechanism), reasons);
    }

    /** A name for a session's groups: other state directories have sessions of the same id. */
    public static String groupName(Path session) {
        return Group.PREFIX
                + session.getFileName()
                + "-"
                + Integer.toHexString(session.toAbsolutePath().toString().hashCode());
    }

    /** Ends what was started to hold limits. */
    @Override
    public void close() {
        mechanisms.close();
    }
}
