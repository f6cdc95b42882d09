package dev.carrel.core.store;

/** True or false. */
public record JsonBoolean(boolean value) implements JsonValue {

    @Override
    public String toString() {
        return toCompact();
    }
}
