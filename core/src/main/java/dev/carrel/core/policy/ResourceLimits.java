package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The most that each command of a session may use; {@code disk} is for the session as a whole. What
 * is empty has no limit.
 *
 * @param memory in bytes, of all processes of the command together, swap included
 * @param pids how many processes and threads the command may have at once
 * @param cpus how many processors it may keep busy; 0.5 is half of one
 * @param wallClock how long it may run
 * @param output how many bytes it may write to its standard output and error together
 * @param disk in bytes, what the session may keep on disk: its changes, its HOME and its /tmp
 * @param requireCgroup whether nothing may run where cgroups cannot hold {@code memory}, {@code
 *     pids} and {@code cpus}
 */
public record ResourceLimits(
        OptionalLong memory,
        OptionalInt pids,
        Optional<BigDecimal> cpus,
        Optional<Duration> wallClock,
        OptionalLong output,
        OptionalLong disk,
        boolean requireCgroup) {

    /** Enough for large builds, and far from what makes a machine unusable. */
    private static final int DEFAULT_PIDS = 4096;

    /** Below it the sandbox itself cannot start. */
    private static final long LEAST_MEMORY = 16L << 20;

    /** The kernel's own bound of process numbers. */
    private static final int MOST_PIDS = 1 << 22;

    /** No limit at all. */
    public static final ResourceLimits NONE =
            new ResourceLimits(
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    false);

    /** What holds where nothing is set: only runaway forking is stopped. */
    public static final ResourceLimits DEFAULT =
            new ResourceLimits(
                    NONE.memory,
                    OptionalInt.of(DEFAULT_PIDS),
                    NONE.cpus,
                    NONE.wallClock,
                    NONE.output,
                    NONE.disk,
                    false);

    public ResourceLimits {
        List<String> problems = new ArrayList<>();
        if (memory.isPresent() && memory.getAsLong() < LEAST_MEMORY) {
            problems.add(
                    "limits.memory: a command needs at least "
                            + Quantity.written(LEAST_MEMORY)
                            + ", not "
                            + Quantity.written(memory.getAsLong()));
        }
        if (pids.isPresent() && (pids.getAsInt() < 1 || pids.getAsInt() > MOST_PIDS)) {
            problems.add("limits.pids: 1 to " + MOST_PIDS + ", not " + pids.getAsInt());
        }
        if (cpus.isPresent()
                && (cpus.get().compareTo(new BigDecimal("0.01")) < 0
                        || cpus.get().compareTo(BigDecimal.valueOf(65_536)) > 0)) {
            problems.add("limits.cpus: 0.01 to 65536, not " + cpus.get());
        }
        if (wallClock.isPresent() && (wallClock.get().isNegative() || wallClock.get().isZero())) {
            problems.add("limits.wall_clock: at least a millisecond");
        }
        if (output.isPresent() && output.getAsLong() < 1) {
            problems.add("limits.output: at least one byte");
        }
        if (disk.isPresent() && disk.getAsLong() < 1) {
            problems.add("limits.disk: at least one byte");
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
    }

    /**
     * The limits that settings of the group {@code limits} ask for; all others do not matter.
     *
     * @throws InvalidInputException with all problems
     */
    public static ResourceLimits of(List<Setting> settings) {
        Map<SettingKey, Setting> set = new EnumMap<>(SettingKey.class);
        settings.forEach(
                setting -> SettingKey.named(setting.key()).ifPresent(key -> set.put(key, setting)));
        List<String> problems = new ArrayList<>();
        ResourceLimits read = new LimitSettings(set).read(problems);
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return read;
    }

    /** The same with another size of memory, in bytes. */
    public ResourceLimits withMemory(long bytes) {
        return new ResourceLimits(
                OptionalLong.of(bytes), pids, cpus, wallClock, output, disk, requireCgroup);
    }

    /** The same with another time. */
    public ResourceLimits within(Duration time) {
        return new ResourceLimits(
                memory, pids, cpus, Optional.of(time), output, disk, requireCgroup);
    }

    /** The same with another number of processes. */
    public ResourceLimits withPids(int most) {
        return new ResourceLimits(
                memory, OptionalInt.of(most), cpus, wallClock, output, disk, requireCgroup);
    }

    /** These limits where the other sets none. */
    public ResourceLimits overriddenBy(ResourceLimits other) {
        return new ResourceLimits(
                other.memory.isPresent() ? other.memory : memory,
                other.pids.isPresent() ? other.pids : pids,
                other.cpus.or(() -> cpus),
                other.wallClock.or(() -> wallClock),
                other.output.isPresent() ? other.output : output,
                other.disk.isPresent() ? other.disk : disk,
                requireCgroup || other.requireCgroup);
    }

    /** Whether a mechanism of the kernel has to hold any of it. */
    public boolean needsKernel() {
        return memory.isPresent() || pids.isPresent() || cpus.isPresent();
    }
}
