package dev.carrel.cli;

import dev.carrel.core.policy.ResourceLimits;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** What commands of a session may use, by the names of the settings. */
final class LimitLine {

    private LimitLine() {}

    /** For people; {@code -} where nothing is limited. */
    static String text(ResourceLimits limits) {
        List<String> parts = new ArrayList<>();
        limits.memory().ifPresent(bytes -> parts.add("memory " + Human.size(bytes)));
        limits.pids().ifPresent(most -> parts.add("pids " + most));
        limits.cpus().ifPresent(most -> parts.add("cpus " + most.toPlainString()));
        limits.wallClock().ifPresent(time -> parts.add("wall_clock " + Human.duration(time)));
        limits.output().ifPresent(bytes -> parts.add("output " + Human.size(bytes)));
        limits.disk().ifPresent(bytes -> parts.add("disk " + Human.size(bytes)));
        if (limits.requireCgroup()) {
            parts.add("require cgroup");
        }
        return parts.isEmpty() ? "-" : String.join(", ", parts);
    }

    /** For programs: what is not limited is left out. */
    static Json.Fields json(ResourceLimits limits) {
        Json.Fields fields = Json.object();
        limits.memory().ifPresent(bytes -> fields.put("memoryBytes", bytes));
        limits.pids().ifPresent(most -> fields.put("pids", most));
        fields.putIfPresent("cpus", limits.cpus().map(BigDecimal::toPlainString));
        limits.wallClock().ifPresent(time -> fields.put("wallClockMillis", time.toMillis()));
        limits.output().ifPresent(bytes -> fields.put("outputBytes", bytes));
        limits.disk().ifPresent(bytes -> fields.put("diskBytes", bytes));
        if (limits.requireCgroup()) {
            fields.put("require", "cgroup");
        }
        return fields;
    }
}
