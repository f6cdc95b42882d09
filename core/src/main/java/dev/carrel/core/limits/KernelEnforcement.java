package dev.carrel.core.limits;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Limits that the kernel holds without further help. */
interface KernelEnforcement extends Enforcement {

    @Override
    default OptionalLong data() {
        return OptionalLong.empty();
    }

    @Override
    default OptionalInt pids() {
        return OptionalInt.empty();
    }

    @Override
    default void started(Supplier<OptionalLong> child, Ends end) {}

    static OptionalLong number(Optional<Group> group, String file) {
        return group.map(each -> each.number(file)).orElse(OptionalLong.empty());
    }

    static Optional<Duration> nanos(OptionalLong count) {
        return count.isPresent()
                ? Optional.of(Duration.ofNanos(count.getAsLong()))
                : Optional.empty();
    }
}
