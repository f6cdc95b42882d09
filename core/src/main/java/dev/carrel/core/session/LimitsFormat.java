package dev.carrel.core.session;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.store.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Limits in {@code session.json}: bytes, milliseconds; what is missing has no limit. */
final class LimitsFormat {

    private LimitsFormat() {}

    static JsonObject write(ResourceLimits limits) {
        JsonObject.Builder json = JsonObject.builder();
        limits.memory().ifPresent(bytes -> json.put("memory", bytes));
        limits.pids().ifPresent(most -> json.put("pids", most));
        json.put("cpus", limits.cpus().map(BigDecimal::toPlainString));
        limits.wallClock().ifPresent(time -> json.put("wallClock", time.toMillis()));
        limits.output().ifPresent(bytes -> json.put("output", bytes));
        limits.disk().ifPresent(bytes -> json.put("disk", bytes));
        return json.put("requireCgroup", limits.requireCgroup()).build();
    }

    static ResourceLimits read(JsonObject json) {
        return new ResourceLimits(
                bytes(json, "memory"),
                json.has("pids") ? OptionalInt.of(json.smallInteger("pids")) : OptionalInt.empty(),
                json.optString("cpus").map(BigDecimal::new),
                json.has("wallClock")
                        ? Optional.of(Duration.ofMillis(json.integer("wallClock")))
                        : Optional.empty(),
                bytes(json, "output"),
                bytes(json, "disk"),
                json.bool("requireCgroup"));
    }

    private static OptionalLong bytes(JsonObject json, String key) {
        return json.has(key) ? OptionalLong.of(json.integer(key)) : OptionalLong.empty();
    }
}
