package dev.carrel.core.store;

/** A value as the kind that the reader needs, or a failure that names the place. */
final class JsonCast {

    private JsonCast() {}

    static <T extends JsonValue> T to(Class<T> kind, JsonValue value, JsonPlace place) {
        if (!kind.isInstance(value)) {
            throw place.failure("must be " + named(kind) + ", but is " + value.described());
        }
        return kind.cast(value);
    }

    static long toLong(JsonValue value, JsonPlace place) {
        try {
            return to(JsonNumber.class, value, place).value().longValueExact();
        } catch (ArithmeticException fractionOrTooLarge) {
            throw place.failure("must be a whole number, but is " + value);
        }
    }

    private static String named(Class<?> kind) {
        if (kind == JsonObject.class) {
            return "an object";
        }
        if (kind == JsonArray.class) {
            return "an array";
        }
        if (kind == JsonString.class) {
            return "a text";
        }
        return kind == JsonNumber.class ? "a number" : "true or false";
    }
}
