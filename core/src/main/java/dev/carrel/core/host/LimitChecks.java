package dev.carrel.core.host;

import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.policy.ResourceLimits;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What holds the limits of commands here. */
final class LimitChecks {

    private static final String NAME = "limits";

    private static final String FIX =
            "give the user a control group: a login under systemd has one, root always";

    private LimitChecks() {}

    static Check check() throws InterruptedException {
        try (LimitKeeper keeper = new LimitKeeper()) {
            LimitKeeper.Finding all = keeper.find(limits(Optional.of(BigDecimal.ONE)));
            if (all.holding().isPresent()) {
                return Check.ok(NAME, all.holding().get() + ": memory, pids, cpus");
            }
            LimitKeeper.Finding some = keeper.find(limits(Optional.empty()));
            String reasons = String.join("; ", reasons(some.holding().isPresent() ? some : all));
            return some.holding().isPresent()
                    ? Check.warn(
                            NAME,
                            some.holding().get()
                                    + ": memory and pids of each command, no cpus ("
                                    + reasons
                                    + ")",
                            FIX)
                    : Check.warn(NAME, "nothing holds limits: " + reasons, FIX);
        }
    }

    private static List<String> reasons(LimitKeeper.Finding finding) {
        return finding.reasons().entrySet().stream()
                .map(reason -> reason.getKey() + ": " + reason.getValue())
                .toList();
    }

    private static ResourceLimits limits(Optional<BigDecimal> cpus) {
        return new ResourceLimits(
                OptionalLong.of(1L << 30),
                OptionalInt.of(1000),
                cpus,
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                false);
    }
}
