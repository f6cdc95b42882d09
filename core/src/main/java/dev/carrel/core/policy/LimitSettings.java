package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** What the settings of limits mean. Each problem begins with the place where it was written. */
record LimitSettings(Map<SettingKey, Setting> settings) {

    private static final String SIZE = "a size, such as 2G or 512M";

    /** The limits that are set. */
    ResourceLimits read(List<String> problems) {
        ResourceLimits limits = ResourceLimits.NONE;
        for (SettingKey key : SettingKey.LIMITS) {
            Setting setting = settings.get(key);
            if (setting != null) {
                try {
                    limits = limits.overriddenBy(one(key, setting.values().getFirst()));
                } catch (InvalidInputException wrong) {
                    wrong.problems().forEach(problem -> problems.add(placed(setting, problem)));
                }
            }
        }
        return limits;
    }

    /** An option of its own says which setting it is. */
    private static String placed(Setting setting, String problem) {
        boolean named = setting.place().startsWith("--") && !setting.place().equals("--set");
        return named
                ? setting.place() + problem.substring(setting.key().length())
                : setting.place() + " " + problem;
    }

    private static ResourceLimits one(SettingKey key, String text) {
        ResourceLimits none = ResourceLimits.NONE;
        return new ResourceLimits(
                key == SettingKey.LIMITS_MEMORY ? bytes(key, text) : none.memory(),
                key == SettingKey.LIMITS_PIDS ? OptionalInt.of(whole(key, text)) : none.pids(),
                key == SettingKey.LIMITS_CPUS ? Optional.of(number(key, text)) : none.cpus(),
                key == SettingKey.LIMITS_WALL_CLOCK
                        ? Optional.of(time(key, text))
                        : none.wallClock(),
                key == SettingKey.LIMITS_OUTPUT ? bytes(key, text) : none.output(),
                key == SettingKey.LIMITS_DISK ? bytes(key, text) : none.disk(),
                key == SettingKey.LIMITS_REQUIRE);
    }

    private static OptionalLong bytes(SettingKey key, String text) {
        return OptionalLong.of(
                written(key, text, Quantity.bytes(text), BigDecimal::longValueExact, SIZE));
    }

    private static Duration time(SettingKey key, String text) {
        return written(
                key,
                text,
                Quantity.seconds(text),
                seconds -> Duration.ofMillis(seconds.movePointRight(3).longValueExact()),
                "a time, such as 90s, 5m or 1h");
    }

    private static int whole(SettingKey key, String text) {
        return written(key, text, plain(text), BigDecimal::intValueExact, "a whole number");
    }

    private static BigDecimal number(SettingKey key, String text) {
        return written(key, text, plain(text), number -> number, "a number, such as 1.5");
    }

    private static Optional<BigDecimal> plain(String text) {
        return text.matches("[0-9.]*") ? Quantity.bytes(text) : Optional.empty();
    }

    private static <T> T written(
            SettingKey key,
            String text,
            Optional<BigDecimal> number,
            Function<BigDecimal, T> exact,
            String expected) {
        try {
            return exact.apply(number.orElseThrow(() -> new ArithmeticException("no number")));
        } catch (ArithmeticException e) {
            throw new InvalidInputException(key.key() + ": '" + text + "' is not " + expected);
        }
    }
}
