package dev.carrel.core.config;

import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.policy.Quantity;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonValue;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What the keys of {@code external_agent} mean; the schema has checked them. */
record AgentKeys(Map<String, Value> values) {

    private static final String GROUP = "external_agent.";
    private static final String BACKENDS = GROUP + "backends.";

    AgentSettings read() {
        Map<String, Backend> backends = new LinkedHashMap<>();
        for (String name : names()) {
            backends.put(name, backend(BACKENDS + name + "."));
        }
        AgentSettings byDefault = AgentSettings.DEFAULT;
        return new AgentSettings(
                whole(GROUP + "default_sandbox_tier")
                        .map(number -> number == 0 ? Tier.PROCESS : Tier.SANDBOX)
                        .orElse(byDefault.tier()),
                text(GROUP + "retain")
                        .map(word -> Retain.valueOf(word.toUpperCase(Locale.ROOT)))
                        .orElse(byDefault.retain()),
                backends);
    }

    private Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        values.keySet().stream()
                .filter(key -> key.startsWith(BACKENDS))
                .map(key -> key.substring(BACKENDS.length()).replaceFirst("\\..*", ""))
                .forEach(names::add);
        return names;
    }

    private Backend backend(String at) {
        Backend byDefault = Backend.DEFAULT;
        return new Backend(
                flag(at + "enabled", byDefault.enabled()),
                text(at + "program"),
                text(at + "model"),
                list(at + "allowed_egress"),
                text(at + "base_url"),
                text(at + "memory")
                        .flatMap(Quantity::bytes)
                        .map(BigDecimal::longValue)
                        .orElse(byDefault.memory()),
                text(at + "timeout")
                        .flatMap(Quantity::seconds)
                        .map(seconds -> Duration.ofMillis(seconds.movePointRight(3).longValue()))
                        .orElse(byDefault.timeout()),
                variables(at + "env"),
                list(at + "extra_args").orElse(List.of()),
                whole(at + "max_turns").map(OptionalInt::of).orElse(OptionalInt.empty()),
                text(at + "key_file").map(Path::of),
                text(at + "key_command"),
                flag(at + "repository_config", byDefault.repositoryConfiguration()),
                text(at + "adapter").map(Path::of));
    }

    private Optional<JsonValue> value(String key) {
        return Optional.ofNullable(values.get(key))
                .map(Value::value)
                .filter(value -> value != JsonNull.INSTANCE);
    }

    private Optional<String> text(String key) {
        return value(key).map(SchemaKey::shown);
    }

    private boolean flag(String key, boolean byDefault) {
        return value(key).map(value -> ((JsonBoolean) value).value()).orElse(byDefault);
    }

    private Optional<Integer> whole(String key) {
        return value(key).map(value -> ((JsonNumber) value).value().intValue());
    }

    private Optional<List<String>> list(String key) {
        return value(key)
                .map(value -> ((JsonArray) value).values().stream().map(SchemaKey::shown).toList());
    }

    private Map<String, String> variables(String key) {
        Map<String, String> variables = new LinkedHashMap<>();
        value(key)
                .ifPresent(value ->
                        ((JsonObject) value)
                                .members()
                                .forEach((name, text) ->
                                        variables.put(name, SchemaKey.shown(text))));
        return variables;
    }
}
