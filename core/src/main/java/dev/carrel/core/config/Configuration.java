package dev.carrel.core.config;

import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.policy.Setting;
import dev.carrel.core.policy.SettingKey;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonValue;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings in effect, all files taken together. A value; reading the files again is up to the
 * caller.
 *
 * @param usersFile the user's own file, if one counts
 * @param ownFiles files of repositories that count
 * @param values what is set, and defaults that depend on more than the key
 * @param problems what a user has to be told of the files; no errors, those were thrown
 * @param notices what may be told besides
 */
public record Configuration(
        Optional<Path> usersFile,
        List<Path> ownFiles,
        Map<String, Value> values,
        List<Problem> problems,
        List<String> notices) {

    /** No file at all. */
    public static final Configuration NONE =
            new Configuration(Optional.empty(), List.of(), Map.of(), List.of(), List.of());

    private static final long GIB = 1L << 30;

    public Configuration {
        ownFiles = List.copyOf(ownFiles);
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        problems = List.copyOf(problems);
        notices = List.copyOf(notices);
    }

    /** A repository that the user's file gives a name. */
    public record NamedRepo(String name, Path path) {}

    /**
     * The settings of sessions that are set, for {@code SessionSettings}; those not set are not in
     * it.
     */
    public List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (SettingKey key : SettingKey.values()) {
            set(key.key())
                    .filter(value -> value.value() != JsonNull.INSTANCE)
                    .ifPresent(value ->
                            settings.add(
                                    new Setting(
                                            key.key(),
                                            texts(value.value()),
                                            value.origin()
                                                            .map(Value.Origin::toString)
                                                            .orElse("default")
                                                    + ":")));
        }
        return settings;
    }

    private static List<String> texts(JsonValue value) {
        return switch (value) {
            case JsonArray list -> list.values().stream().map(Configuration::text).toList();
            case JsonObject words ->
                    words.members().entrySet().stream()
                            .map(word -> word.getKey() + "=" + SchemaKey.shown(word.getValue()))
                            .toList();
            default -> List.of(SchemaKey.shown(value));
        };
    }

    /** 5432.0 is a whole number, too. */
    private static String text(JsonValue value) {
        return value instanceof JsonNumber(BigDecimal number)
                ? number.stripTrailingZeros().toPlainString()
                : SchemaKey.shown(value);
    }

    /** Where a file forbids to run anything; empty: it is allowed. */
    public Optional<Value.Origin> disabled() {
        return set("enabled")
                .filter(value -> value.value().equals(new JsonBoolean(false)))
                .flatMap(Value::origin);
    }

    /** Where sessions are kept, if a file says so or its kind has a place of its own. */
    public Optional<Path> workspaceBase() {
        return set("workspace_base").map(value -> Path.of(SchemaKey.shown(value.value())));
    }

    /** How long what nobody uses is kept. */
    public Retention retention() {
        Retention defaults = Retention.DEFAULT;
        return new Retention(
                seconds("workspace_ttl").orElse(defaults.snapshots()),
                seconds("snapshots.upper_dir_ttl").orElse(defaults.sessions()),
                seconds("snapshots.cleanup_interval").orElse(defaults.interval()),
                number("snapshots.min_free_gb")
                        .map(gib -> gib.multiply(BigDecimal.valueOf(GIB)).longValue())
                        .orElse(defaults.minFreeBytes()));
    }

    /** The repositories that have a name. */
    public List<NamedRepo> repos() {
        return set("repos")
                .map(value -> ((JsonArray) value.value()).objects())
                .orElse(List.of())
                .stream()
                .map(repo -> new NamedRepo(repo.string("name"), Path.of(repo.string("path"))))
                .toList();
    }

    /** What is set of agents' command lines. */
    public AgentSettings agents() {
        return new AgentKeys(values).read();
    }

    private Optional<Duration> seconds(String key) {
        return number(key).map(number -> Duration.ofSeconds(number.longValue()));
    }

    private Optional<BigDecimal> number(String key) {
        return set(key).map(value -> ((JsonNumber) value.value()).value());
    }

    /** All files that count, the user's first. */
    public List<Path> files() {
        return Stream.concat(usersFile.stream(), ownFiles.stream()).toList();
    }

    /** What is set, or a default that depends on more than the key. */
    public Optional<Value> set(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /**
     * Every key with its value in effect, or none, in the order of the documentation; passwords in
     * URLs are left out.
     */
    public Map<String, Value> effective() {
        Map<String, Value> all = new LinkedHashMap<>();
        for (SchemaKey key : new Schema().keys()) {
            if (key.path().contains("*")) {
                String group = key.path().substring(0, key.path().indexOf('*'));
                values.forEach((name, value) -> {
                    if (name.startsWith(group)) {
                        all.put(name, value);
                    }
                });
            } else if (key.instead().isEmpty()) {
                Value value = set(key.path()).orElseGet(() -> unset(key));
                all.put(key.path(), new Value(key.safe(value.value()), value.origins()));
            }
        }
        return all;
    }

    private static Value unset(SchemaKey key) {
        return new Value(key.defaultValue().orElse(JsonNull.INSTANCE), List.of());
    }
}
