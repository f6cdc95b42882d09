package dev.carrel.core.config;

import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.config.SchemaCheck.Violation;
import dev.carrel.core.config.YamlNode.Mapping;
import dev.carrel.core.config.YamlNode.Member;
import dev.carrel.core.config.YamlNode.Scalar;
import dev.carrel.core.config.YamlNode.Sequence;
import dev.carrel.core.policy.Nearest;
import dev.carrel.core.store.JsonString;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The one translation of what the validator finds to what people are told. The validator says which
 * keyword was broken where; the words, what would be right, and line and column are made here:
 *
 * <ul>
 *   <li>{@code additionalProperties}: there is no such key, with the nearest;
 *   <li>{@code required}: a key is missing;
 *   <li>{@code propertyNames}: a name that cannot be one;
 *   <li>all others ({@code type}, {@code enum}, {@code minimum}, {@code pattern}…): a value that is
 *       not allowed, once for each value however many keywords it breaks, with what is. Where the
 *       key has a documented fallback, that is a warning.
 * </ul>
 */
final class Complaints {

    private static final int MOST = 200;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    private final Path file;
    private final Schema schema;
    private final YamlNode root;

    Complaints(Path file, Schema schema, YamlNode root) {
        this.file = file;
        this.schema = schema;
        this.root = root;
    }

    List<Problem> all() {
        List<Problem> problems = new ArrayList<>();
        Set<List<String>> values = new HashSet<>();
        List<Violation> violations = SchemaCheck.violations(YamlValues.of(root));
        if (violations.size() > MOST) {
            // What is not looked at must not pass for a warning.
            String text = "there are more than " + MOST + " problems; not all are listed";
            problems.add(problem(root.at(), Kind.ERROR, text));
        }
        for (Violation violation : violations.subList(0, Math.min(MOST, violations.size()))) {
            List<String> names = violation.names();
            String property = violation.property();
            switch (violation.keyword()) {
                case "additionalProperties" -> problems.add(unknown(names, property));
                case "required" ->
                        problems.add(
                                problem(
                                        node(names).at(),
                                        Kind.ERROR,
                                        written(names) + ": " + property + " is missing"));
                case "propertyNames" -> problems.add(badName(names, property));
                default -> {
                    if (values.add(names)) {
                        problems.add(notAllowed(names));
                    }
                }
            }
        }
        problems.addAll(oldNames());
        problems.addAll(repeatedRepos());
        return problems;
    }

    private Problem unknown(List<String> names, String property) {
        String key = Schema.join(written(names), property);
        String text = key + ": there is no such key" + nearest(names, property);
        // A rule under a mistyped name would be a hole in a wall; no other program has this group.
        Kind kind = names.equals(List.of("egress")) ? Kind.ERROR : Kind.UNKNOWN;
        return problem(keyOf(names, property), kind, text);
    }

    /** The nearest name beside it, else the nearest anywhere: a group may have been left out. */
    private String nearest(List<String> names, String property) {
        List<String> siblings =
                schema.at(names).flatMap(part -> part.optObject("properties")).stream()
                        .flatMap(part -> part.members().keySet().stream())
                        .toList();
        return Nearest.within(property, siblings)
                .map(name -> Schema.join(written(names), name))
                .or(() -> elsewhere(property))
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    private Optional<String> elsewhere(String property) {
        Map<String, String> paths = new LinkedHashMap<>();
        for (SchemaKey key : schema.keys()) {
            if (!key.path().contains("*")) {
                String last = key.path().substring(key.path().lastIndexOf('.') + 1);
                paths.putIfAbsent(last, key.path());
            }
        }
        return Nearest.within(property, paths.keySet()).map(paths::get);
    }

    private Problem badName(List<String> names, String property) {
        String expected =
                schema.at(names)
                        .flatMap(part -> part.optObject("propertyNames"))
                        .map(part -> part.string("x-expects"))
                        .orElse("another name");
        return problem(
                keyOf(names, property),
                Kind.ERROR,
                written(names) + ": '" + property + "' is not allowed as a name; use " + expected);
    }

    private Problem notAllowed(List<String> names) {
        YamlNode node = node(names);
        SchemaKey key = new SchemaKey(written(names), schema.at(names).orElseThrow());
        String place = names.isEmpty() ? "" : written(names) + ": ";
        String found = place + described(key, node) + " is not allowed";
        Optional<String> fallback = key.fallback().filter(_ -> node instanceof Scalar);
        return fallback.map(used ->
                        problem(
                                node.at(),
                                Kind.WARNING,
                                found + ", " + used + " is used instead; use " + key.allowed()))
                .orElseGet(() -> problem(node.at(), Kind.ERROR, found + "; use " + key.allowed()));
    }

    private List<Problem> oldNames() {
        List<Problem> problems = new ArrayList<>();
        for (SchemaKey key : schema.keys()) {
            key.instead()
                    .ifPresent(name -> {
                        List<String> path = List.of(key.path().split("\\.", -1));
                        List<String> group = path.subList(0, path.size() - 1);
                        if (find(path).isPresent()) {
                            String instead = Schema.join(String.join(".", group), name);
                            problems.add(
                                    problem(
                                            keyOf(group, path.getLast()),
                                            Kind.WARNING,
                                            key.path() + ": this is an old name; use " + instead));
                        }
                    });
        }
        return problems;
    }

    /** The schema language cannot say that a part of each element occurs once. */
    private List<Problem> repeatedRepos() {
        List<Problem> problems = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        if (find(List.of("repos")).orElse(root) instanceof Sequence repos) {
            for (YamlNode repo : repos.items()) {
                step(repo, "name")
                        .filter(name -> name instanceof Scalar scalar && !seen.add(scalar.text()))
                        .ifPresent(name ->
                                problems.add(
                                        problem(
                                                name.at(),
                                                Kind.ERROR,
                                                "repos: two have the name " + described(name))));
            }
        }
        return problems;
    }

    private Problem problem(Position at, Kind kind, String text) {
        return new Problem(file, at, kind, text);
    }

    private static String described(SchemaKey key, YamlNode node) {
        return node instanceof Scalar scalar && !scalar.isEmpty()
                ? "'" + shortened(key.shownSafely(new JsonString(scalar.text()))) + "'"
                : described(node);
    }

    private static String described(YamlNode node) {
        return switch (node) {
            case Scalar scalar ->
                    scalar.isEmpty() ? "no value" : "'" + shortened(scalar.text()) + "'";
            case Sequence _ -> "a list";
            case Mapping _ -> "a group of keys";
        };
    }

    private static String shortened(String text) {
        return text.length() > 80 ? text.substring(0, 77) + "…" : text;
    }

    /** {@code repos[0].name}. */
    private String written(List<String> names) {
        StringBuilder text = new StringBuilder();
        YamlNode at = root;
        for (String name : names) {
            if (at instanceof Sequence) {
                text.append('[').append(name).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(name);
            }
            at = step(at, name).orElse(at);
        }
        return text.toString();
    }

    private Position keyOf(List<String> names, String property) {
        return node(names) instanceof Mapping mapping
                ? member(mapping, property).map(member -> member.key().at()).orElse(mapping.at())
                : node(names).at();
    }

    private YamlNode node(List<String> names) {
        return find(names).orElse(root);
    }

    private Optional<YamlNode> find(List<String> names) {
        Optional<YamlNode> at = Optional.of(root);
        for (String name : names) {
            at = at.flatMap(node -> step(node, name));
        }
        return at;
    }

    private static Optional<YamlNode> step(YamlNode node, String name) {
        return switch (node) {
            case Scalar _ -> Optional.empty();
            case Sequence sequence ->
                    DIGITS.matcher(name).matches()
                            ? sequence.items().stream().skip(Long.parseLong(name)).findFirst()
                            : Optional.empty();
            case Mapping mapping -> member(mapping, name).map(Member::value);
        };
    }

    private static Optional<Member> member(Mapping mapping, String name) {
        return mapping.members().stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
