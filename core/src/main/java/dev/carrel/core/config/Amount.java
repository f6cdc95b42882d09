package dev.carrel.core.config;

import dev.carrel.core.policy.Quantity;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.math.BigDecimal;
import java.util.Optional;

/** Numbers, sizes and times of files, to be compared: in bytes or seconds. */
final class Amount {

    private Amount() {}

    /** The number of bytes or seconds; empty for what is no quantity. */
    static Optional<BigDecimal> of(JsonValue value) {
        return switch (value) {
            case JsonNumber(BigDecimal number) -> Optional.of(number);
            case JsonString(String text) -> Quantity.bytes(text).or(() -> Quantity.seconds(text));
            default -> Optional.empty();
        };
    }
}
