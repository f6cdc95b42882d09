package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The one description of all keys: type, range, default, and what a repository's own file may do to
 * it. Editors, the checker, the merging and the documentation use the same file. Reading it here
 * takes no validator.
 */
public final class Schema {

    private static final String RESOURCE = "carrel.schema.json";

    private final JsonObject root;

    /** Reads the file that comes with the library. */
    Schema() {
        this.root = (JsonObject) Json.parse(text(), RESOURCE);
    }

    /** The JSON Schema (2020-12) as it is. */
    public static String text() {
        return new String(bytes(), UTF_8);
    }

    static byte[] bytes() {
        try (InputStream stream = Schema.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IllegalStateException("the library comes without " + RESOURCE);
            }
            return stream.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** All keys that have a value, in the order of the documentation. */
    List<SchemaKey> keys() {
        List<SchemaKey> keys = new ArrayList<>();
        collect("", root, keys);
        return keys;
    }

    private static void collect(String path, JsonObject schema, List<SchemaKey> to) {
        if (!isGroup(schema)) {
            to.add(new SchemaKey(path, schema));
            return;
        }
        children(schema).forEach((name, child) -> collect(join(path, name), child, to));
    }

    private static Map<String, JsonObject> children(JsonObject group) {
        if (group.has("properties")) {
            Map<String, JsonObject> children = new LinkedHashMap<>();
            JsonObject properties = group.object("properties");
            properties
                    .members()
                    .keySet()
                    .forEach(name -> children.put(name, properties.object(name)));
            return children;
        }
        return Map.of("*", group.object("additionalProperties"));
    }

    /** The key of this path, or nothing where there is none. */
    Optional<SchemaKey> key(String path) {
        return at(List.of(path.split("\\.", -1)))
                .filter(schema -> !isGroup(schema))
                .map(schema -> new SchemaKey(path, schema));
    }

    /** The part of the schema that describes what lies at these names and indexes. */
    Optional<JsonObject> at(List<String> names) {
        Optional<JsonObject> schema = Optional.of(root);
        for (String name : names) {
            schema = schema.flatMap(part -> step(part, name));
        }
        return schema;
    }

    private static Optional<JsonObject> step(JsonObject part, String name) {
        if (part.has("items")) {
            return part.optObject("items");
        }
        boolean anyName = part.members().get("additionalProperties") instanceof JsonObject;
        return isGroup(part) || !anyName
                ? child(part, name)
                : part.optObject("additionalProperties");
    }

    /** What describes a member of a group. */
    static Optional<JsonObject> child(JsonObject group, String name) {
        Optional<JsonObject> known =
                group.optObject("properties").flatMap(properties -> properties.optObject(name));
        return known.isPresent() || !hasNames(group)
                ? known
                : Optional.of(group.object("additionalProperties"));
    }

    /** Whether its members are keys of their own. */
    static boolean isGroup(JsonObject schema) {
        return schema.has("properties") || hasNames(schema);
    }

    private static boolean hasNames(JsonObject schema) {
        return schema.members().get("additionalProperties") instanceof JsonObject each
                && each.has("properties");
    }

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
