package dev.carrel.core.config;

import dev.carrel.core.store.JsonValue;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** A value in effect, and where it was written. */
public final class Value {

    private final JsonValue value;
    private final Optional<Origin> origin;

    Value(JsonValue value, Optional<Origin> origin) {
        this.value = value;
        this.origin = origin;
    }

    /** A place in a file. */
    public record Origin(Path file, Position at) {
        @Override
        public String toString() {
            return file + ":" + at;
        }
    }

    JsonValue value() {
        return value;
    }

    /** As one would write it; a list as JSON. Paths are absolute. */
    public String text() {
        return SchemaKey.shown(value);
    }

    /** As JSON, on one line. */
    public String json() {
        return value.toCompact();
    }

    /** Where it was written; empty for a default. */
    public Optional<Origin> origin() {
        return origin;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Value that
                && value.equals(that.value)
                && origin.equals(that.origin);
    }

    @Override
    public int hashCode() {
        return Objects.hash(value, origin);
    }

    @Override
    public String toString() {
        return text() + origin.map(at -> " (" + at + ")").orElse("");
    }
}
