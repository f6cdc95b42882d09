package dev.carrel.core.store;

/** An immutable JSON value. */
public sealed interface JsonValue
        permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

    /** On one line, without blanks. */
    default String toCompact() {
        return JsonWriter.compact(this);
    }

    /** On many lines, indented by two blanks, without a line end after the last. */
    default String toPretty() {
        return JsonWriter.pretty(this);
    }

    /** With its article, for messages. */
    default String described() {
        return switch (this) {
            case JsonObject _ -> "an object";
            case JsonArray _ -> "an array";
            case JsonString _ -> "a text";
            case JsonNumber _ -> "a number";
            case JsonBoolean _ -> "true or false";
            case JsonNull _ -> "null";
        };
    }
}
