package dev.carrel.core.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/**
 * Named members in the order of the document. Members that a reader does not ask for are no error:
 * a newer version may have written them.
 *
 * <p>A getter fails where the member is missing or of another kind, and names document and member:
 * with a {@link dev.carrel.core.failure.BrokenStoreException} for files of Carrel, with an {@link
 * dev.carrel.core.failure.InvalidInputException} for input. Those named {@code opt…} answer empty
 * for a missing member and for null, and fail for another kind.
 */
public final class JsonObject implements JsonValue {

    private final Map<String, JsonValue> members;
    private final JsonPlace place;

    JsonObject(Map<String, JsonValue> members, JsonPlace place) {
        this.members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        this.place = place;
    }

    /** Starts an empty object. */
    public static Builder builder() {
        return new Builder();
    }

    /** All members, in order. */
    public Map<String, JsonValue> members() {
        return members;
    }

    /** Whether a member of this name exists, be it null. */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    public String string(String name) {
        return required(name, optString(name));
    }

    public Optional<String> optString(String name) {
        return member(name, (v, at) -> JsonCast.to(JsonString.class, v, at).value());
    }

    /** A whole number. */
    public long integer(String name) {
        return required(name, member(name, JsonCast::toLong));
    }

    public OptionalLong optInteger(String name) {
        return member(name, JsonCast::toLong).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** A whole number in the range of an {@code int}. */
    public int smallInteger(String name) {
        long value = integer(name);
        if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
            throw place.member(name).failure("is out of range: " + value);
        }
        return (int) value;
    }

    public double number(String name) {
        return required(
                name,
                member(
                        name,
                        (v, at) -> JsonCast.to(JsonNumber.class, v, at).value().doubleValue()));
    }

    public boolean bool(String name) {
        return required(name, optBool(name));
    }

    public Optional<Boolean> optBool(String name) {
        return member(name, (v, at) -> JsonCast.to(JsonBoolean.class, v, at).value());
    }

    public JsonObject object(String name) {
        return required(name, optObject(name));
    }

    public Optional<JsonObject> optObject(String name) {
        return member(name, (v, at) -> JsonCast.to(JsonObject.class, v, at));
    }

    public JsonArray array(String name) {
        return required(name, optArray(name));
    }

    public Optional<JsonArray> optArray(String name) {
        return member(name, (v, at) -> JsonCast.to(JsonArray.class, v, at));
    }

    /** An array of texts. */
    public List<String> strings(String name) {
        return array(name).strings();
    }

    /** An array of objects. */
    public List<JsonObject> objects(String name) {
        return array(name).objects();
    }

    private <T> Optional<T> member(String name, BiFunction<JsonValue, JsonPlace, T> cast) {
        JsonValue value = members.get(name);
        if (value == null || value == JsonNull.INSTANCE) {
            return Optional.empty();
        }
        return Optional.of(cast.apply(value, place.member(name)));
    }

    private <T> T required(String name, Optional<T> value) {
        return value.orElseThrow(() -> place.member(name).failure("is missing"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonObject that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return toCompact();
    }

    /** Collects members in the order they are put; a name put again replaces the first value. */
    public static final class Builder {

        private final Map<String, JsonValue> members = new LinkedHashMap<>();

        private Builder() {}

        public Builder put(String name, JsonValue value) {
            members.put(name, value);
            return this;
        }

        public Builder put(String name, String value) {
            return put(name, new JsonString(value));
        }

        public Builder put(String name, long value) {
            return put(name, JsonNumber.of(value));
        }

        public Builder put(String name, double value) {
            return put(name, JsonNumber.of(value));
        }

        public Builder put(String name, boolean value) {
            return put(name, new JsonBoolean(value));
        }

        /** Leaves the member out where there is no value. */
        public Builder put(String name, Optional<String> value) {
            value.ifPresent(text -> put(name, text));
            return this;
        }

        public Builder putStrings(String name, List<String> values) {
            return put(name, JsonArray.ofStrings(values));
        }

        public Builder putObjects(String name, List<JsonObject> values) {
            return put(name, JsonArray.of(values));
        }

        public JsonObject build() {
            return new JsonObject(members, JsonPlace.BUILT);
        }
    }
}
