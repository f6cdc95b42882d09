package dev.carrel.core.store;

import java.math.BigDecimal;

/** A number, exact as it was written. */
public record JsonNumber(BigDecimal value) implements JsonValue {

    /** A whole number. */
    public static JsonNumber of(long value) {
        return new JsonNumber(BigDecimal.valueOf(value));
    }

    /** A finite number. */
    public static JsonNumber of(double value) {
        return new JsonNumber(BigDecimal.valueOf(value));
    }

    @Override
    public String toString() {
        return toCompact();
    }
}
