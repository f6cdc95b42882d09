package dev.carrel.core.limits;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.process.Command;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Limits that the kernel holds, and a look at the processes every now and then for the memory that
 * it does not count, since none was limited.
 *
 * @param held what counts all else
 * @param looks what looks
 */
record Sampled(Enforcement held, Watchdog looks) implements Enforcement {

    static Enforcement of(Enforcement held, ResourceLimits limits) {
        return limits.memory().isPresent()
                ? held
                : new Sampled(
                        held,
                        new Watchdog(
                                held.mechanism(),
                                ResourceLimits.NONE,
                                OptionalLong.empty(),
                                OptionalInt.empty()));
    }

    @Override
    public String mechanism() {
        return held.mechanism();
    }

    @Override
    public List<Command.Bounds.Group> toEnter() {
        return held.toEnter();
    }

    @Override
    public OptionalLong data() {
        return held.data();
    }

    @Override
    public OptionalInt pids() {
        return held.pids();
    }

    @Override
    public void started(Supplier<OptionalLong> child, Ends end) {
        held.started(child, end);
        looks.started(child, end);
    }

    @Override
    public Usage usage() {
        Usage counted = held.usage();
        Usage seen = looks.usage();
        return new Usage(
                counted.peakMemory().isPresent() ? counted.peakMemory() : seen.peakMemory(),
                counted.cpu().or(seen::cpu),
                counted.outOfMemory(),
                counted.tooManyProcesses());
    }

    @Override
    public void close() {
        looks.close();
        held.close();
    }
}
