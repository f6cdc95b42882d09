package dev.carrel.core.adapter;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A part of what an agent printed. Nobody promises its shape, and its tools have a hand in it: what
 * is missing or of another kind reads as nothing, and no number is too large to count with.
 */
record Loose(Optional<JsonValue> value) {

    static final Loose NOTHING = new Loose(Optional.empty());

    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);
    private static final BigDecimal LEAST = new BigDecimal("0.000000001");
    private static final int DECIMALS = 9;
    private static final int MOST_VALUES = 250_000;

    /** One line of output; nothing where it is not an object. */
    static Loose line(String line) {
        if (!line.stripLeading().startsWith("{") || isTooWide(line)) {
            return NOTHING;
        }
        try {
            return new Loose(Optional.of(Json.parse(line, "a line")));
        } catch (InvalidInputException _) {
            return NOTHING;
        }
    }

    /** Each value takes much more memory than the two bytes that it has in the line. */
    private static boolean isTooWide(String line) {
        int values = 0;
        boolean quoted = false;
        for (int at = 0; at < line.length() && values <= MOST_VALUES; at++) {
            char each = line.charAt(at);
            if (each == '"') {
                quoted = !quoted;
            } else if (quoted && each == '\\') {
                at++;
            } else if (!quoted && (each == ',' || each == '[' || each == '{')) {
                values++;
            }
        }
        return values > MOST_VALUES;
    }

    Loose at(String... names) {
        Optional<JsonValue> part = value;
        for (String name : names) {
            part = part.flatMap(whole -> member(whole, name));
        }
        return new Loose(part);
    }

    private static Optional<JsonValue> member(JsonValue whole, String name) {
        return whole instanceof JsonObject object
                ? Optional.ofNullable(object.members().get(name))
                : Optional.empty();
    }

    boolean isText(String expected) {
        return text().equals(expected);
    }

    boolean isTrue() {
        return value.filter(new JsonBoolean(true)::equals).isPresent();
    }

    boolean isFalse() {
        return value.filter(new JsonBoolean(false)::equals).isPresent();
    }

    /** Empty where it is no text. */
    String text() {
        return value.orElse(null) instanceof JsonString string ? string.value() : "";
    }

    /** The text, if there is more than nothing of it. */
    Optional<String> someText() {
        return Optional.of(text()).filter(text -> !text.isBlank());
    }

    /** A text, a number or a truth value as one would write it. */
    Optional<String> plain() {
        return value.flatMap(one ->
                switch (one) {
                    case JsonString string -> Optional.of(string.value());
                    case JsonNumber number -> Optional.of(number.toCompact());
                    case JsonBoolean bool -> Optional.of(bool.toCompact());
                    case JsonObject _, JsonArray _, JsonNull _ -> Optional.empty();
                });
    }

    /** A whole number from 0 on. */
    long count() {
        return number().map(BigDecimal::longValue).orElse(0L);
    }

    /** A number from 0 on, of at most nine decimals. */
    Optional<BigDecimal> number() {
        return value.orElse(null) instanceof JsonNumber number
                ? Optional.of(bounded(number.value()))
                : Optional.empty();
    }

    /** Comparing is cheap with any exponent; adding and rounding are not. */
    private static BigDecimal bounded(BigDecimal number) {
        if (number.compareTo(LEAST) < 0) {
            return BigDecimal.ZERO;
        }
        return number.compareTo(MOST) > 0
                ? MOST
                : number.setScale(DECIMALS, RoundingMode.HALF_UP).stripTrailingZeros();
    }

    /** The elements of an array. */
    List<Loose> each() {
        return value.orElse(null) instanceof JsonArray array
                ? array.values().stream().map(element -> new Loose(Optional.of(element))).toList()
                : List.of();
    }

    /** The names of an object's members. */
    Set<String> names() {
        return value.orElse(null) instanceof JsonObject object
                ? object.members().keySet()
                : Set.of();
    }

    /** The values of an object's members. */
    List<Loose> members() {
        return value.orElse(null) instanceof JsonObject object
                ? object.members().values().stream()
                        .map(member -> new Loose(Optional.of(member)))
                        .toList()
                : List.of();
    }

    /** As JSON on one line, shortened; an empty text where there is nothing. */
    String json() {
        return value.map(JsonValue::toCompact).map(Excerpt::of).orElse("");
    }
}
