package dev.carrel.core.limits;

import dev.carrel.core.policy.ResourceLimits;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Resource limits of processes, for machines that give no groups: the data of each process, and the
 * number of processes in the command's own user namespace (which the kernel counts apart since
 * Linux 5.14). What several processes use together is watched. Memory file systems are sized by
 * whoever mounts them. The limit of address space is none of this: node and the JVM reserve far
 * more than they use and do not start with it.
 */
record Rlimits() implements Mechanism {

    static final String NAME = "rlimits and watchdog";

    /** The first process of the sandbox is counted, too. */
    private static final int OWN_PROCESSES = 1;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Enforcement enforce(String session, ResourceLimits total, ResourceLimits limits)
            throws Refused {
        if (limits.cpus().isPresent()) {
            throw new Refused("resource limits cannot hold limits.cpus");
        }
        return new Watchdog(
                NAME,
                limits,
                data(limits),
                limits.pids().isPresent()
                        ? OptionalInt.of(limits.pids().getAsInt() + OWN_PROCESSES)
                        : OptionalInt.empty());
    }

    /**
     * A process at its limit of data is told so and may go on, while the watch ends the command and
     * knows why. So the watch comes first, and this is for what is faster than its looks.
     */
    private static OptionalLong data(ResourceLimits limits) {
        return limits.memory().isPresent()
                ? OptionalLong.of(limits.memory().getAsLong() / 4 * 5)
                : OptionalLong.empty();
    }

    @Override
    public void sweep() {
        // Nothing of it outlives its process.
    }
}
