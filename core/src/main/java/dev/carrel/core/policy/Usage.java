package dev.carrel.core.policy;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a command used, as far as somebody counted.
 *
 * @param peakMemory the most memory at one time, in bytes; exact where a cgroup counted, otherwise
 *     the most that a look at its processes found, and empty for a command that was too short for
 *     one
 * @param cpu time of processors, of all its processes
 * @param outOfMemory whether something of it was killed for its memory
 * @param tooManyProcesses whether it was refused a process or thread
 */
public record Usage(
        OptionalLong peakMemory,
        Optional<Duration> cpu,
        boolean outOfMemory,
        boolean tooManyProcesses) {

    /** Nobody counted. */
    public static final Usage UNKNOWN =
            new Usage(OptionalLong.empty(), Optional.empty(), false, false);
}
