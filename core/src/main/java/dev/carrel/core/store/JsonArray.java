package dev.carrel.core.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Values in order. Its failures name the document and the element. */
public final class JsonArray implements JsonValue {

    private final List<JsonValue> values;
    private final JsonPlace place;

    JsonArray(List<? extends JsonValue> values, JsonPlace place) {
        this.values = List.copyOf(values);
        this.place = place;
    }

    /** An array of these values. */
    public static JsonArray of(List<? extends JsonValue> values) {
        return new JsonArray(values, JsonPlace.BUILT);
    }

    /** An array of texts. */
    public static JsonArray ofStrings(List<String> texts) {
        return of(texts.stream().map(JsonString::new).toList());
    }

    /** The values. */
    public List<JsonValue> values() {
        return values;
    }

    /** All elements as objects; fails where one is not. */
    public List<JsonObject> objects() {
        return each((value, at) -> JsonCast.to(JsonObject.class, value, at));
    }

    /** All elements as texts; fails where one is not. */
    public List<String> strings() {
        return each((value, at) -> JsonCast.to(JsonString.class, value, at).value());
    }

    private <T> List<T> each(BiFunction<JsonValue, JsonPlace, T> cast) {
        List<T> all = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            all.add(cast.apply(values.get(i), place.element(i)));
        }
        return List.copyOf(all);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonArray that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return toCompact();
    }
}
