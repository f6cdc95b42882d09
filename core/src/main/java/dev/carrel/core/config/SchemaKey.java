package dev.carrel.core.config;

import dev.carrel.core.policy.Upstream;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the schema says of one key.
 *
 * @param path its name with its groups: {@code sandbox.seccomp}; a {@code *} stands for any name
 * @param schema the part of the schema that describes it
 */
record SchemaKey(String path, JsonObject schema) {

    /** What it is for, in one line. */
    String description() {
        return schema.string("description");
    }

    /** Its value where nothing is set; empty where there is none. */
    Optional<JsonValue> defaultValue() {
        return Optional.ofNullable(schema.members().get("default"));
    }

    /** The values allowed; empty where they are not listed. */
    List<JsonValue> choices() {
        return schema.optArray("enum").map(JsonArray::values).orElse(List.of());
    }

    /** What is used where the value is none of the choices; empty: that is an error. */
    Optional<String> fallback() {
        return schema.optString("x-fallback");
    }

    /** The key that has taken its place; empty where it is not deprecated. */
    Optional<String> instead() {
        return schema.optString("x-instead");
    }

    /** What a repository's own file may do to it. */
    Narrowing narrowing() {
        return Narrowing.of(schema);
    }

    /** Whether it names places of the host. */
    boolean isPath() {
        return schema.has("x-path")
                || schema.optObject("items").filter(item -> item.has("x-path")).isPresent();
    }

    boolean isList() {
        return types().contains("array");
    }

    private List<String> types() {
        JsonValue type = schema.members().get("type");
        return switch (type) {
            case JsonString(String one) -> List.of(one);
            case JsonArray several -> several.strings();
            case null, default -> List.of();
        };
    }

    /**
     * What is allowed, for people: {@code true or false}, {@code one of a, b}, {@code 0 or more}.
     */
    String allowed() {
        if (!choices().isEmpty()) {
            return "one of " + String.join(", ", choices().stream().map(SchemaKey::shown).toList());
        }
        if (schema.has("x-expects")) {
            return schema.string("x-expects");
        }
        List<String> words = new ArrayList<>();
        for (String type : types()) {
            switch (type) {
                case "boolean" -> words.add("true or false");
                case "integer" -> words.add("a whole number" + range());
                case "number" -> words.add("a number" + range());
                case "string" ->
                        words.add(schema.has("minLength") ? "a text, not empty" : "a text");
                case "array" -> words.add("a list");
                case "object" -> words.add("a group of keys");
                default -> {}
            }
        }
        return String.join(" or ", words);
    }

    private String range() {
        Optional<String> least = bound("minimum").map(n -> n + " or more");
        Optional<String> above = bound("exclusiveMinimum").map(n -> "more than " + n);
        Optional<String> most = bound("maximum").map(n -> "at most " + n);
        List<String> words = new ArrayList<>();
        least.ifPresent(words::add);
        above.ifPresent(words::add);
        most.ifPresent(words::add);
        return words.isEmpty() ? "" : ", " + String.join(", ", words);
    }

    private Optional<String> bound(String keyword) {
        return schema.members().get(keyword) instanceof JsonNumber(var value)
                ? Optional.of(value.toPlainString())
                : Optional.empty();
    }

    /** The value fit to be shown: without the user and the password in a URL. */
    JsonValue safe(JsonValue value) {
        return schema.has("x-credentials") && value instanceof JsonString(String text)
                ? new JsonString(Upstream.withoutCredentials(text))
                : value;
    }

    String shownSafely(JsonValue value) {
        return shown(safe(value));
    }

    /** A value as one would write it. */
    static String shown(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> text;
            case JsonNumber(var number) -> number.toPlainString();
            case JsonNull _ -> "null";
            default -> value.toCompact();
        };
    }
}
