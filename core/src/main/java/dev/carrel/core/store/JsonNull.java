package dev.carrel.core.store;

/** The JSON null; readers treat a member with it as missing. */
public enum JsonNull implements JsonValue {
    INSTANCE;

    @Override
    public String toString() {
        return "null";
    }
}
