package dev.carrel.core.config;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Collects settings by key, and writes them as a carrel.yaml. */
final class ImportWriter {

    private static final Pattern RELATIVE =
            Pattern.compile("(?![/~])(?!(.*/)?\\.\\.?(/|$))[^\\x00]+");

    private final Map<String, Set<String>> lists = new LinkedHashMap<>();
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /** A scalar, as YAML writes it. */
    void set(String key, String value) {
        values.put(key, value);
    }

    void add(String key, String element) {
        lists.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(element);
    }

    /** A path of a repository that is hidden. */
    void mask(String key, String path) {
        String plain = path.replaceFirst("^(\\./+)+", "").replaceFirst("/+$", "");
        if (RELATIVE.matcher(plain).matches()) {
            add("sandbox.mask", plain);
        } else {
            note(key, "sandbox.mask takes paths below the root of a repository");
        }
    }

    void upstream(String key, String address) {
        try {
            set("egress.upstream", quoted(EgressPolicy.checkedUpstream(address)));
        } catch (InvalidInputException wrong) {
            note(key, "it is no proxy here: " + wrong.message());
        }
    }

    /** Something that has no counterpart. */
    void note(String what, String why) {
        notes.add(what + ": " + why);
    }

    /** The file, in the order of the documentation. */
    Imported written(Path source) {
        StringBuilder yaml = new StringBuilder("# Converted from " + source.getFileName() + ".\n");
        String group = "";
        for (SchemaKey key : new Schema().keys()) {
            if (!values.containsKey(key.path()) && !lists.containsKey(key.path())) {
                continue;
            }
            int dot = key.path().indexOf('.');
            String itsGroup = dot < 0 ? "" : key.path().substring(0, dot);
            if (!itsGroup.equals(group) && !itsGroup.isEmpty()) {
                yaml.append(itsGroup).append(":\n");
            }
            group = itsGroup;
            String indent = dot < 0 ? "" : "  ";
            yaml.append(indent).append(key.path().substring(dot + 1)).append(':');
            append(yaml, key.path(), indent);
        }
        return new Imported(yaml.toString(), notes);
    }

    private void append(StringBuilder yaml, String key, String indent) {
        if (values.containsKey(key)) {
            yaml.append(' ').append(values.get(key)).append('\n');
            return;
        }
        yaml.append('\n');
        lists.getOrDefault(key, Set.of())
                .forEach(element ->
                        yaml.append(indent).append("  - ").append(quoted(element)).append('\n'));
    }

    /** JSON's quotes are YAML's double quotes. */
    static String quoted(String text) {
        return new JsonString(text).toCompact();
    }

    static String described(JsonValue value) {
        String text = value.toCompact();
        return text.length() > 60 ? text.substring(0, 57) + "…" : text;
    }
}
