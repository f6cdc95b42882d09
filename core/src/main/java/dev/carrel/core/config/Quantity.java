package dev.carrel.core.config;

import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers, sizes ({@code 2G}, in bytes) and times ({@code 5m}, in seconds). */
final class Quantity {

    private static final Pattern WRITTEN = Pattern.compile("([0-9.]+)\\s?([A-Za-z]*)");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    /** Sizes are written in capitals, times in small letters. */
    private static final Map<String, BigDecimal> UNITS =
            Map.ofEntries(
                    Map.entry("", BigDecimal.ONE),
                    Map.entry("B", BigDecimal.ONE),
                    Map.entry("K", KIBI),
                    Map.entry("M", KIBI.pow(2)),
                    Map.entry("G", KIBI.pow(3)),
                    Map.entry("T", KIBI.pow(4)),
                    Map.entry("ms", new BigDecimal("0.001")),
                    Map.entry("s", BigDecimal.ONE),
                    Map.entry("m", BigDecimal.valueOf(60)),
                    Map.entry("h", BigDecimal.valueOf(3600)),
                    Map.entry("d", BigDecimal.valueOf(86_400)));

    private Quantity() {}

    /** The number of bytes or seconds; empty for what is no quantity. */
    static Optional<BigDecimal> of(JsonValue value) {
        return switch (value) {
            case JsonNumber(BigDecimal number) -> Optional.of(number);
            case JsonString(String text) -> parse(text);
            default -> Optional.empty();
        };
    }

    private static Optional<BigDecimal> parse(String text) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            return Optional.empty();
        }
        String unit = written.group(2);
        String size = unit.replaceFirst("(?<=[KMGT])i?B?$", "");
        return Optional.ofNullable(UNITS.get(size))
                .map(factor -> new BigDecimal(written.group(1)).multiply(factor));
    }
}
