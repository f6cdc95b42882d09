package dev.carrel.core.config;

import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Keys that are understood and whose feature does not exist yet. Where passing over one would
 * weaken a wall, or give something else than was asked for, nothing is run; elsewhere it is a
 * notice. A feature that comes takes its lines out of {@link #TABLE}.
 */
public final class ToCome {

    private enum Effect {
        REFUSE,
        NOTICE
    }

    /** Groups end with a dot. */
    private static final Map<String, Effect> TABLE =
            Map.ofEntries(
                    Map.entry("subagent_isolation", Effect.NOTICE),
                    Map.entry("integration.", Effect.NOTICE),
                    Map.entry("snapshots.enabled", Effect.NOTICE),
                    Map.entry("snapshots.shared", Effect.NOTICE),
                    Map.entry("project_setup.", Effect.NOTICE),
                    Map.entry("limits.", Effect.REFUSE));

    private ToCome() {}

    /**
     * What a configuration asks for and does not get.
     *
     * @param refused each a key with its value and place, for the failure
     * @param notices the same, for people
     */
    public record Missing(List<String> refused, List<String> notices) {
        public Missing {
            refused = List.copyOf(refused);
            notices = List.copyOf(notices);
        }
    }

    /** The same in a session with the whole host, which has none of what belongs to copies. */
    public static Missing inHostReadonly(Configuration configuration) {
        return in(configuration, key -> !ForcedOff.isOf(key));
    }

    /** Looks through what is set to something else than the default. */
    public static Missing in(Configuration configuration) {
        return in(configuration, _ -> true);
    }

    private static Missing in(Configuration configuration, Predicate<String> relevant) {
        List<String> refused = new ArrayList<>();
        List<String> notices = new ArrayList<>();
        if (configuration.values().isEmpty()) {
            return new Missing(refused, notices);
        }
        Schema schema = new Schema();
        configuration
                .values()
                .forEach((key, value) -> {
                    Optional<Effect> effect = effect(key);
                    if (effect.isPresent()
                            && relevant.test(key)
                            && value.origin().isPresent()
                            && isSet(schema, key, value)) {
                        String text =
                                key
                                        + ": "
                                        + SchemaKey.shown(value.value())
                                        + " ("
                                        + value.origin().get()
                                        + ")";
                        (effect.get() == Effect.REFUSE ? refused : notices).add(text);
                    }
                });
        return new Missing(refused, notices);
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

    private static Optional<Effect> effect(String key) {
        String group = key.substring(0, key.indexOf('.') + 1);
        return Optional.ofNullable(TABLE.get(key)).or(() -> Optional.ofNullable(TABLE.get(group)));
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
