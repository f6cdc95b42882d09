package dev.carrel.core.config;

import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one file says, checked by itself: whether the keys may be set there is not known yet.
 *
 * @param entries the keys that are set, each once
 * @param problems all that is wrong with it, in the order of the text
 */
record Document(List<Entry> entries, List<Problem> problems) {

    /** How a file is laid out. */
    enum Format {
        /** The keys themselves. */
        CARREL,
        /** The keys are the arguments of a plugin among others. */
        CODUMENTOR
    }

    /** One key that is set. */
    record Entry(String key, JsonValue value, Position at) {}

    Document {
        entries = List.copyOf(entries);
        problems = problems.stream().sorted(Comparator.comparing(Problem::at)).toList();
    }

    boolean hasErrors() {
        return problems.stream().anyMatch(problem -> problem.kind() == Kind.ERROR);
    }

    /** For the cache. */
    JsonObject toJson() {
        List<JsonObject> set = new ArrayList<>();
        for (Entry entry : entries) {
            set.add(at(entry.at()).put("key", entry.key()).put("value", entry.value()).build());
        }
        List<JsonObject> wrong = new ArrayList<>();
        for (Problem problem : problems) {
            wrong.add(
                    at(problem.at())
                            .put("kind", problem.kind().name())
                            .put("text", problem.text())
                            .build());
        }
        return JsonObject.builder()
                .putObjects("entries", set)
                .putObjects("problems", wrong)
                .build();
    }

    private static JsonObject.Builder at(Position at) {
        return JsonObject.builder().put("line", at.line()).put("column", at.column());
    }

    /** From the cache; {@code file} is where the same text was found this time. */
    static Document of(JsonObject json, Path file) {
        List<Entry> entries = new ArrayList<>();
        for (JsonObject entry : json.objects("entries")) {
            JsonValue value = entry.members().get("value");
            if (value == null) {
                throw new IllegalArgumentException("an entry without a value");
            }
            entries.add(new Entry(entry.string("key"), value, position(entry)));
        }
        List<Problem> problems = new ArrayList<>();
        for (JsonObject problem : json.objects("problems")) {
            problems.add(
                    new Problem(
                            file,
                            position(problem),
                            Kind.valueOf(problem.string("kind")),
                            problem.string("text")));
        }
        return new Document(entries, problems);
    }

    private static Position position(JsonObject json) {
        return new Position(json.smallInteger("line"), json.smallInteger("column"));
    }
}
