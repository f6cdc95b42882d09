package dev.carrel.core.policy;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes ({@code 2G}, {@code 512MiB}) and times ({@code 90s}, {@code 1.5h}) as people write them.
 */
public final class Quantity {

    private static final Pattern WRITTEN =
            Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)\\s?([A-Za-z]*)");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    /** Sizes are written in capitals, times in small letters: {@code 5M} and {@code 5m} differ. */
    private static final Map<String, BigDecimal> SIZES =
            Map.of(
                    "",
                    BigDecimal.ONE,
                    "B",
                    BigDecimal.ONE,
                    "K",
                    KIBI,
                    "M",
                    KIBI.pow(2),
                    "G",
                    KIBI.pow(3),
                    "T",
                    KIBI.pow(4));

    private static final Map<String, BigDecimal> TIMES =
            Map.of(
                    "",
                    BigDecimal.ONE,
                    "ms",
                    new BigDecimal("0.001"),
                    "s",
                    BigDecimal.ONE,
                    "m",
                    BigDecimal.valueOf(60),
                    "h",
                    BigDecimal.valueOf(3600),
                    "d",
                    BigDecimal.valueOf(86_400));

    private Quantity() {}

    /** The number of bytes; K, M, G and T are powers of 1024. Empty for what is no size. */
    public static Optional<BigDecimal> bytes(String text) {
        return read(text, SIZES, "(?<=[KMGT])i?B?$");
    }

    /** A number of bytes as people write it: in the largest unit that leaves a whole number. */
    public static String written(long bytes) {
        String unit = "";
        long number = bytes;
        for (String larger : List.of("K", "M", "G", "T")) {
            if (number == 0 || number % 1024 != 0) {
                break;
            }
            number /= 1024;
            unit = larger;
        }
        return number + unit;
    }

    /** The number of seconds; empty for what is no time. */
    public static Optional<BigDecimal> seconds(String text) {
        return read(text, TIMES, "(?!)");
    }

    private static Optional<BigDecimal> read(
            String text, Map<String, BigDecimal> units, String ending) {
        Matcher written = WRITTEN.matcher(text);
        return written.matches()
                ? Optional.ofNullable(units.get(written.group(2).replaceFirst(ending, "")))
                        .map(factor -> new BigDecimal(written.group(1)).multiply(factor))
                : Optional.empty();
    }
}
