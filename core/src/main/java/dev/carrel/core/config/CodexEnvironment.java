package dev.carrel.core.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Codex's {@code shell_environment_policy}. A variable that {@code include_only} names is handed on
 * there only if it was inherited, is not excluded, and is not set to something else; so it is here.
 * What cannot be read withholds.
 */
final class CodexEnvironment {

    private static final String KEY = "shell_environment_policy";
    private static final String VARIABLES = "sandbox.inherit_env_vars";
    private static final List<String> DEFAULT_EXCLUDES = List.of("*KEY*", "*SECRET*", "*TOKEN*");

    /** All that {@code inherit = "core"} hands on. */
    private static final Set<String> CORE =
            Set.of("HOME", "LOGNAME", "PATH", "SHELL", "TEMP", "TMP", "TMPDIR", "USER", "USERNAME");

    private static final String OWN = "the sandbox has a user, a PATH and places of its own";

    private final ImportWriter writer;
    private final JsonNode policy;
    private final String inherit;
    private final List<String> exclude = new ArrayList<>();
    private final List<String> include = new ArrayList<>();
    private final Set<String> set = new HashSet<>();

    CodexEnvironment(ImportWriter writer, JsonNode policy) {
        this.writer = writer;
        this.policy = policy;
        JsonNode which = policy.path("inherit");
        this.inherit = which.isMissingNode() ? "all" : which.isString() ? which.asString() : "";
    }

    void convert() {
        for (var member : policy.properties()) {
            String key = KEY + "." + member.getKey();
            JsonNode value = member.getValue();
            switch (member.getKey()) {
                case "inherit" -> {}
                case "include_only" -> include.addAll(patterns(key, value));
                case "filters" -> filters(key, value);
                case "exclude" -> {
                    exclude.addAll(patterns(key, value));
                    insteadOfExcluding(key);
                }
                case "ignore_default_excludes" -> insteadOfExcluding(key);
                case "set" -> {
                    value.properties().forEach(variable -> set.add(variable.getKey()));
                    writer.note(key, "give variables to a command: --env NAME=VALUE");
                }
                default -> writer.note(key, "there is nothing like it");
            }
        }
        if (policy.has("inherit")) {
            inherit(KEY + ".inherit");
        }
        String from = KEY + (policy.has("filters") ? ".filters " : ".include_only ");
        include.forEach(name -> variable(from + name, name));
    }

    private void insteadOfExcluding(String key) {
        writer.note(key, "list what is handed on in " + VARIABLES + " instead");
    }

    /** A list of another shape could be any list. */
    private List<String> patterns(String key, JsonNode value) {
        if (!value.isArray() || !value.valueStream().allMatch(JsonNode::isString)) {
            writer.note(key, "it is not a list of texts");
            exclude.add("*");
            return List.of();
        }
        return value.valueStream().map(JsonNode::asString).toList();
    }

    private void filters(String key, JsonNode value) {
        if (!value.isObject()) {
            writer.note(key, "it is not a table");
            exclude.add("*");
        }
        for (var filter : value.properties()) {
            boolean includes = filter.getValue().asString("").equals("include");
            (includes ? include : exclude).add(filter.getKey());
            if (!includes) {
                insteadOfExcluding(key + " " + filter.getKey());
            }
        }
    }

    private void inherit(String key) {
        switch (inherit) {
            case "core" -> writer.note(key + ": core", OWN);
            case "all" -> inheritAll(key);
            case "none" -> writer.note(key + ": none", "a few variables are always there");
            default ->
                    writer.note(
                            key + ": " + policy.path("inherit").asString("another shape"),
                            "there is nothing like it");
        }
    }

    /** All but some would be all here. */
    private void inheritAll(String key) {
        if (!exclude.isEmpty() || !include.isEmpty() || !set.isEmpty() || hasDefaultExcludes()) {
            String why =
                    hasDefaultExcludes()
                            ? "; names with KEY, SECRET or TOKEN are exceptions where"
                                    + " ignore_default_excludes is not true"
                            : "";
            writer.note(
                    key + ": all",
                    "sandbox.env_mode: inherit_all knows no exceptions, so it stays minimal" + why);
        } else {
            writer.set("sandbox.env_mode", "inherit_all");
        }
    }

    /** Versions of Codex differ in what holds where nothing is said. */
    private boolean hasDefaultExcludes() {
        JsonNode ignored = policy.path("ignore_default_excludes");
        return !(ignored.isBoolean() && ignored.asBoolean());
    }

    private void variable(String key, String name) {
        withheld(name)
                .ifPresentOrElse(why -> writer.note(key, why), () -> writer.add(VARIABLES, name));
    }

    /** Why a variable that is included is not handed on; empty: it is. */
    private Optional<String> withheld(String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            return Optional.of(VARIABLES + " takes no patterns");
        }
        if (CORE.contains(name)) {
            return Optional.of(OWN);
        }
        if (!inherit.equals("all")) {
            return Optional.of(
                    inherit.equals("core") || inherit.equals("none")
                            ? "inherit = \"" + inherit + "\" withholds it"
                            : "what is inherited is not known");
        }
        if (set.contains(name)) {
            return Optional.of("it is set there, not handed on");
        }
        if (hasDefaultExcludes() && matches(DEFAULT_EXCLUDES, name)) {
            return Optional.of(
                    "names with KEY, SECRET or TOKEN are withheld where ignore_default_excludes is"
                            + " not true; add it if you want it");
        }
        return matches(exclude, name) ? Optional.of("exclude withholds it") : Optional.empty();
    }

    /** {@code *} and {@code ?} are patterns; case does not count. */
    private static boolean matches(List<String> patterns, String name) {
        return patterns.stream()
                .map(CodexEnvironment::regex)
                .anyMatch(pattern -> pattern.matcher(name).matches());
    }

    private static Pattern regex(String pattern) {
        String regex =
                pattern.chars()
                        .mapToObj(c ->
                                switch (c) {
                                    case '*' -> ".*";
                                    case '?' -> ".";
                                    default -> Pattern.quote(Character.toString(c));
                                })
                        .collect(Collectors.joining());
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }
}
