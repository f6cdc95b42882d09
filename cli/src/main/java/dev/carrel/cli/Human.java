package dev.carrel.cli;

import java.time.Duration;
import java.time.Instant;

/** Numbers and names as people read them. */
final class Human {

    private static final String[] UNITS = {"B", "K", "M", "G", "T", "P"};

    private Human() {}

    /** Bytes with at most three digits: {@code 0B}, {@code 9.8K}, {@code 120M}. */
    static String size(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 || value >= 9.95
                ? Math.round(value) + UNITS[unit]
                : tenths(value) + UNITS[unit];
    }

    private static String tenths(double value) {
        long tenths = Math.round(value * 10);
        return tenths / 10 + "." + tenths % 10;
    }

    /** How long ago, in its largest unit. */
    static String age(Instant then, Instant now) {
        return span(Duration.between(then, now));
    }

    private static String span(Duration age) {
        if (age.toSeconds() < 5) {
            return "now";
        } else if (age.toMinutes() < 1) {
            return age.toSeconds() + "s";
        } else if (age.toHours() < 1) {
            return age.toMinutes() + "m";
        }
        return age.toDays() < 2 ? age.toHours() + "h" : age.toDays() + "d";
    }

    /** How long it still takes, in its largest unit; what is over is due now. */
    static String until(Instant when, Instant now) {
        return when.isAfter(now) ? "in " + span(Duration.between(now, when)) : "now";
    }

    /** How long something took. */
    static String duration(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1000) {
            return millis + "ms";
        } else if (millis < 60_000) {
            return tenths(millis / 1000.0) + "s";
        }
        return duration.toMinutes() + "m" + duration.toSecondsPart() + "s";
    }

    static String plural(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /**
     * Text from elsewhere on one line: control characters, which could drive the terminal, are
     * escaped.
     */
    static String oneLine(String text) {
        boolean harmless = text.chars().noneMatch(Human::isControl);
        if (harmless) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.chars()
                .forEach(c -> {
                    if (isControl(c)) {
                        shown.append(String.format("\\u%04x", c));
                    } else {
                        shown.append((char) c);
                    }
                });
        return shown.toString();
    }

    private static boolean isControl(int c) {
        return Character.isISOControl(c)
                || Character.getType(c) == Character.FORMAT
                || c == 0x2028
                || c == 0x2029;
    }
}
