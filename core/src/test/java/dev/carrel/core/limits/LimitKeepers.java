package dev.carrel.core.limits;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Keepers for machines that this one is not. */
public final class LimitKeepers {

    private LimitKeepers() {}

    /** As where this user has no group at all: {@code /proc/self} is elsewhere. */
    public static LimitKeeper withoutGroups(Path empty) {
        return new LimitKeeper(
                new Mechanisms(
                        empty,
                        new SystemdScope(
                                empty.resolve("none"),
                                Optional.empty(),
                                List.of(),
                                _ -> {
                                    throw new AssertionError("nothing is to be started");
                                }),
                        new Rlimits()));
    }
}
