package dev.carrel.core.config;

import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A value in effect, and where it was written; a list can come of several files. */
public final class Value {

    private final JsonValue value;
    private final List<Origin> origins;

    Value(JsonValue value, Optional<Origin> origin) {
        this(value, origin.stream().toList());
    }

    Value(JsonValue value, List<Origin> origins) {
        this.value = value;
        this.origins = List.copyOf(origins);
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

    /** Whether there is none: nothing is set, and nothing is by default. */
    public boolean isNone() {
        return value == JsonNull.INSTANCE;
    }

    /** Where it was written last; empty for a default. */
    public Optional<Origin> origin() {
        return origins.isEmpty() ? Optional.empty() : Optional.of(origins.getLast());
    }

    /** All places that have a part in it, the user's first; none for a default. */
    public List<Origin> origins() {
        return origins;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Value that
                && value.equals(that.value)
                && origins.equals(that.origins);
    }

    @Override
    public int hashCode() {
        return Objects.hash(value, origins);
    }

    @Override
    public String toString() {
        return text() + origin().map(at -> " (" + at + ")").orElse("");
    }
}
