package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the sandbox of a session is like, decided when the session is created and kept with it.
 *
 * @param network what commands may reach
 * @param unshareUts whether the host name is the sandbox's own; a {@code hostname} turns it on
 * @param unshareCgroup whether the cgroup tree is hidden
 * @param hostname the host name inside, if it is set
 * @param newSession kept with the session, without effect in this version: every command without a
 *     terminal of its own gets a session of its own (setsid), since it would share the caller's
 *     terminal otherwise
 * @param seccomp the system call filter
 * @param environmentMode which variables of the caller a command sees
 * @param inheritedVariables names of further variables to hand on in {@code minimal} mode
 * @param persistentHome whether HOME is a directory of the session (true) or fresh memory per
 *     command
 * @param sessionTmp whether /tmp is a directory of the session (true) or fresh memory per command
 * @param extraReadOnly host files and directories shown read-only at the same path, besides the
 *     tool chains
 * @param mask files and directories of the repositories that are hidden, relative to their roots
 * @param view what it sees: copies of repositories, or the whole host
 * @param limits the most that its commands may use
 */
public record SandboxPolicy(
        NetworkAccess network,
        boolean unshareUts,
        boolean unshareCgroup,
        Optional<String> hostname,
        boolean newSession,
        SeccompMode seccomp,
        EnvironmentMode environmentMode,
        List<String> inheritedVariables,
        boolean persistentHome,
        boolean sessionTmp,
        List<Path> extraReadOnly,
        List<String> mask,
        ViewMode view,
        ResourceLimits limits) {

    /** Every setting at its documented default. */
    public static final SandboxPolicy DEFAULT =
            new SandboxPolicy(
                    NetworkAccess.Own.NOTHING,
                    false,
                    false,
                    Optional.empty(),
                    false,
                    SeccompMode.DEFAULT,
                    EnvironmentMode.MINIMAL,
                    List.of(),
                    true,
                    true,
                    List.of(),
                    List.of(),
                    new ViewMode.Overlay(),
                    ResourceLimits.DEFAULT);

    private static final Pattern HOSTNAME =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,62}[A-Za-z0-9])?");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    public SandboxPolicy {
        inheritedVariables = List.copyOf(inheritedVariables);
        extraReadOnly = List.copyOf(extraReadOnly);
        mask = List.copyOf(mask);
        List<String> problems = new ArrayList<>();
        hostname.filter(name -> !HOSTNAME.matcher(name).matches())
                .ifPresent(name ->
                        problems.add(
                                "sandbox.hostname: '"
                                        + name
                                        + "' is not a host name (1 to 64 letters, digits, dots and dashes)"));
        for (String name : inheritedVariables) {
            if (!VARIABLE.matcher(name).matches()) {
                problems.add(
                        "sandbox.inherit_env_vars: '"
                                + name
                                + "' is not the name of an environment variable");
            }
        }
        for (Path path : extraReadOnly) {
            if (!path.isAbsolute()) {
                problems.add("sandbox.extra_read_only: '" + path + "' is not an absolute path");
            }
        }
        for (String path : mask) {
            if (path.isEmpty() || path.startsWith("/") || path.matches("(.*/)?\\.\\.?(/.*)?")) {
                problems.add(
                        "sandbox.mask: '"
                                + path
                                + "' is not a path relative to a repository's root, without '.' and"
                                + " '..'");
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        unshareUts = unshareUts || hostname.isPresent();
    }

    /** A policy of the overlay mode. */
    public SandboxPolicy(
            NetworkAccess network,
            boolean unshareUts,
            boolean unshareCgroup,
            Optional<String> hostname,
            boolean newSession,
            SeccompMode seccomp,
            EnvironmentMode environmentMode,
            List<String> inheritedVariables,
            boolean persistentHome,
            boolean sessionTmp,
            List<Path> extraReadOnly,
            List<String> mask) {
        this(
                network,
                unshareUts,
                unshareCgroup,
                hostname,
                newSession,
                seccomp,
                environmentMode,
                inheritedVariables,
                persistentHome,
                sessionTmp,
                extraReadOnly,
                mask,
                new ViewMode.Overlay(),
                ResourceLimits.DEFAULT);
    }

    /** The same with another network. */
    public SandboxPolicy with(NetworkAccess other) {
        return changed(other, seccomp, view, limits);
    }

    /** The same with another filter. */
    public SandboxPolicy with(SeccompMode other) {
        return changed(network, other, view, limits);
    }

    /** The same in another mode. */
    public SandboxPolicy with(ViewMode other) {
        return changed(network, seccomp, other, limits);
    }

    /** The same with other limits. */
    public SandboxPolicy with(ResourceLimits other) {
        return changed(network, seccomp, view, other);
    }

    /** The same with further host files and directories that are shown read-only. */
    public SandboxPolicy showing(List<Path> more) {
        List<Path> shown = new ArrayList<>(extraReadOnly);
        more.stream().filter(path -> !shown.contains(path)).forEach(shown::add);
        return changed(network, seccomp, view, limits, shown);
    }

    private SandboxPolicy changed(
            NetworkAccess net, SeccompMode filter, ViewMode mode, ResourceLimits bounds) {
        return changed(net, filter, mode, bounds, extraReadOnly);
    }

    private SandboxPolicy changed(
            NetworkAccess net,
            SeccompMode filter,
            ViewMode mode,
            ResourceLimits bounds,
            List<Path> shown) {
        return new SandboxPolicy(
                net,
                unshareUts,
                unshareCgroup,
                hostname,
                newSession,
                filter,
                environmentMode,
                inheritedVariables,
                persistentHome,
                sessionTmp,
                shown,
                mask,
                mode,
                bounds);
    }
}
