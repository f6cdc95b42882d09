package dev.carrel.core.config;

import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Keys that are understood and whose feature does not exist yet: whoever sets one is told, and the
 * starter file says so. A feature that comes takes its lines out of {@link #TABLE}.
 */
public final class ToCome {

    /** Groups end with a dot. */
    private static final Set<String> TABLE =
            Set.of(
                    "subagent_isolation",
                    "integration.",
                    "snapshots.enabled",
                    "snapshots.shared",
                    "project_setup.");

    private ToCome() {}

    /** The same in a session with the whole host, which has none of what belongs to copies. */
    public static List<String> inHostReadonly(Configuration configuration) {
        return in(configuration, key -> !ForcedOff.isOf(key));
    }

    /** What is set to something else than the default, each a key with its value and place. */
    public static List<String> in(Configuration configuration) {
        return in(configuration, _ -> true);
    }

    private static List<String> in(Configuration configuration, Predicate<String> relevant) {
        List<String> missing = new ArrayList<>();
        if (configuration.values().isEmpty()) {
            return missing;
        }
        Schema schema = new Schema();
        configuration
                .values()
                .forEach((key, value) -> {
                    if (isToCome(key)
                            && relevant.test(key)
                            && value.origin().isPresent()
                            && isSet(schema, key, value)) {
                        missing.add(
                                key
                                        + ": "
                                        + SchemaKey.shown(value.value())
                                        + " ("
                                        + value.origin().get()
                                        + ")");
                    }
                });
        return missing;
    }

    /** Scripts that would set these repositories up, and are not run. */
    public static List<String> setUps(Configuration configuration, List<Path> roots) {
        boolean off =
                configuration
                        .set("project_setup.enabled")
                        .filter(value -> value.value().equals(new JsonBoolean(false)))
                        .isPresent();
        return off
                ? List.of()
                : roots.stream()
                        .map(root -> root.resolve(".codumentor/setup.sh"))
                        .filter(Files::isRegularFile)
                        .map(Path::toString)
                        .toList();
    }

    /** Whether setting this key changes nothing yet. */
    static boolean isToCome(String key) {
        return TABLE.contains(key) || TABLE.contains(key.substring(0, key.indexOf('.') + 1));
    }

    private static boolean isSet(Schema schema, String key, Value value) {
        return !schema.key(key)
                .flatMap(SchemaKey::defaultValue)
                .map(byDefault -> isSame(byDefault, value.value()))
                .orElse(false);
    }

    /** 5 and 5.0 are the same. */
    private static boolean isSame(JsonValue one, JsonValue other) {
        if (one instanceof JsonNumber(var a) && other instanceof JsonNumber(var b)) {
            return a.compareTo(b) == 0;
        }
        return one.equals(other);
    }
}
