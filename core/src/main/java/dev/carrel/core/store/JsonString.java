package dev.carrel.core.store;

/** A text. */
public record JsonString(String value) implements JsonValue {

    @Override
    public String toString() {
        return toCompact();
    }
}
