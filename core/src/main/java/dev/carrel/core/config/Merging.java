package dev.carrel.core.config;

import dev.carrel.core.config.Document.Entry;
import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.config.Value.Origin;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts files together: the user's file over the defaults, then the own files of repositories, each
 * of which may only narrow what was allowed before it. Pure.
 */
final class Merging {

    private static final String ALLOW = "egress.allow";
    private static final String DENY = "egress.deny";

    private final ConfigRequest request;
    private final Schema schema;
    private final Map<String, Value> values = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    Merging(ConfigRequest request, Schema schema) {
        this.request = request;
        this.schema = schema;
    }

    /** Defaults that depend on more than the schema. */
    void defaultValue(String key, JsonValue value) {
        values.put(key, new Value(value, Optional.empty()));
    }

    void users(Path file, Document document) {
        problems.addAll(document.problems());
        for (Entry entry : usable(document)) {
            value(file, entry).ifPresent(value -> values.put(entry.key(), value));
        }
    }

    void repository(Path file, Document document) {
        problems.addAll(document.problems());
        for (Entry entry : usable(document)) {
            value(file, entry).ifPresent(asked -> narrow(file, entry, asked));
        }
    }

    private void narrow(Path file, Entry entry, Value wish) {
        SchemaKey key = schema.key(entry.key()).orElseThrow();
        Optional<JsonValue> allowed = effective(entry.key());
        JsonValue asked = withoutWider(file, entry, key, wish.value());
        if (!allowed.equals(Optional.of(asked))) {
            key.narrowing()
                    .narrow(allowed, asked)
                    .ifPresentOrElse(
                            value -> put(key, allowed, new Value(value, origins(key, wish))),
                            () -> problems.add(widening(file, entry, key, allowed)));
        }
    }

    /**
     * One element that would allow more takes nothing from the others: it alone is not used. If
     * none is left the list has not narrowed anything, and is not used as a whole.
     */
    private JsonValue withoutWider(Path file, Entry entry, SchemaKey key, JsonValue asked) {
        Optional<JsonValue> allowed = effective(entry.key());
        List<JsonValue> wider = key.narrowing().wider(allowed, asked);
        List<JsonValue> rest = new ArrayList<>(Narrowing.elements(Optional.of(asked)));
        rest.removeAll(wider);
        if (wider.isEmpty() || rest.isEmpty()) {
            return asked;
        }
        Entry left = new Entry(entry.key(), JsonArray.of(wider), entry.at());
        problems.add(widening(file, left, key, allowed));
        return JsonArray.of(rest);
    }

    /** Who changes nothing has no part in it. */
    private void put(SchemaKey key, Optional<JsonValue> allowed, Value value) {
        if (!allowed.equals(Optional.of(value.value()))) {
            values.put(key.path(), value);
        }
    }

    /** A list that was added to comes of all who did. */
    private List<Origin> origins(SchemaKey key, Value wish) {
        List<Origin> origins = new ArrayList<>();
        if (key.narrowing() instanceof Narrowing.Superset) {
            Optional.ofNullable(values.get(key.path()))
                    .ifPresent(before -> origins.addAll(before.origins()));
        }
        origins.addAll(wish.origins());
        return origins;
    }

    /** Values of a file with errors could be of any kind. */
    private static List<Entry> usable(Document document) {
        return document.hasErrors() ? List.of() : document.entries();
    }

    private static Problem widening(
            Path file, Entry entry, SchemaKey key, Optional<JsonValue> allowed) {
        String text =
                entry.key()
                        + ": "
                        + key.shownSafely(entry.value())
                        + " is not used: a repository's own file may "
                        + (key.narrowing() instanceof Narrowing.Never ? "" : "only ")
                        + key.narrowing().described()
                        + allowed.map(value -> " (now " + key.shownSafely(value) + ")").orElse("")
                        + "; to allow it, set it in a file of your own";
        return new Problem(file, entry.at(), Kind.WIDENS, text);
    }

    private Optional<JsonValue> effective(String key) {
        return Optional.ofNullable(values.get(key))
                .map(Value::value)
                .or(() -> schema.key(key).flatMap(SchemaKey::defaultValue));
    }

    /** Ends the merging: what depends on several keys. */
    void finish() {
        dropDenied();
        settleMode();
    }

    /** What a repository's own file denies entirely is not allowed any more: it has narrowed. */
    private void dropDenied() {
        Optional<Value> allowed = Optional.ofNullable(values.get(ALLOW));
        Optional<Origin> by = Optional.ofNullable(values.get(DENY)).flatMap(Value::origin);
        if (allowed.isEmpty() || by.isEmpty()) {
            return;
        }
        EgressRules deny = new EgressRules(List.of(), rules(values.get(DENY), EgressRule::deny));
        List<JsonValue> left = new ArrayList<>();
        for (JsonValue text : ((JsonArray) allowed.get().value()).values()) {
            EgressRule rule = EgressRule.allow(SchemaKey.shown(text));
            List<String> dead = new EgressRules(List.of(rule), deny.deny()).contradictions();
            if (dead.isEmpty()) {
                left.add(text);
            }
            dead.forEach(why ->
                    problems.add(
                            new Problem(
                                    by.get().file(),
                                    by.get().at(),
                                    Kind.WARNING,
                                    DENY + ": " + why)));
        }
        values.put(ALLOW, new Value(JsonArray.of(left), allowed.get().origins()));
    }

    private static List<EgressRule> rules(@Nullable Value list, Function<String, EgressRule> read) {
        return list == null
                ? List.of()
                : ((JsonArray) list.value())
                        .values().stream().map(SchemaKey::shown).map(read).toList();
    }

    private void settleMode() {
        if (originOf("mode", "host_readonly").isPresent()) {
            ForcedOff.values().forEach(this::force);
        }
    }

    private void force(String key, JsonValue instead) {
        Optional<Value> asked = Optional.ofNullable(values.get(key));
        asked.filter(value -> !value.value().equals(instead))
                .ifPresent(value ->
                        value.origin()
                                .ifPresent(at ->
                                        problems.add(
                                                new Problem(
                                                        at.file(),
                                                        at.at(),
                                                        Kind.WARNING,
                                                        ForcedOff.text(
                                                                key, value.value(), instead)))));
        values.put(key, new Value(instead, asked.map(Value::origins).orElse(List.of())));
    }

    private Optional<Origin> originOf(String key, String text) {
        return Optional.ofNullable(values.get(key))
                .filter(value -> value.value().equals(new JsonString(text)))
                .flatMap(Value::origin);
    }

    Map<String, Value> values() {
        return values;
    }

    /** File by file, in the order of their texts. */
    List<Problem> problems() {
        List<Path> files = problems.stream().map(Problem::file).distinct().toList();
        return problems.stream()
                .sorted(
                        Comparator.comparingInt((Problem problem) -> files.indexOf(problem.file()))
                                .thenComparing(Problem::at))
                .toList();
    }

    /** Empty, and complained of, where a text cannot be a path: by the locale, or for a NUL. */
    private Optional<Value> value(Path file, Entry entry) {
        try {
            Optional<Origin> origin = Optional.of(new Origin(file, entry.at()));
            return Optional.of(new Value(resolved(file, entry), origin));
        } catch (InvalidPathException impossible) {
            String text = entry.key() + ": this cannot be a path: " + impossible.getReason();
            problems.add(new Problem(file, entry.at(), Kind.ERROR, text));
            return Optional.empty();
        }
    }

    private JsonValue resolved(Path file, Entry entry) {
        if (entry.key().equals("repos")) {
            return repos(file, entry.value());
        }
        return schema.key(entry.key()).orElseThrow().isPath()
                ? paths(entry.value())
                : entry.value();
    }

    private JsonValue paths(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> path(request.expanded(text));
            case JsonArray list -> JsonArray.of(list.values().stream().map(this::paths).toList());
            default -> value;
        };
    }

    private JsonValue repos(Path file, JsonValue value) {
        Path directory = Optional.ofNullable(file.getParent()).orElse(file);
        List<JsonObject> repos = new ArrayList<>();
        for (JsonObject repo : ((JsonArray) value).objects()) {
            repos.add(
                    JsonObject.builder()
                            .put("name", repo.string("name"))
                            .put(
                                    "path",
                                    path(directory.resolve(request.expanded(repo.string("path")))))
                            .build());
        }
        return JsonArray.of(repos);
    }

    private static JsonString path(Path path) {
        return new JsonString(path.normalize().toString());
    }
}
