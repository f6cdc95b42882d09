package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.config.Document.Entry;
import dev.carrel.core.config.Document.Format;
import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.config.YamlNode.Flaw;
import dev.carrel.core.config.YamlNode.Mapping;
import dev.carrel.core.config.YamlNode.Member;
import dev.carrel.core.config.YamlNode.Scalar;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text of a file to what it says, with all that is wrong with it. */
final class DocumentReader {

    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final Path file;
    private final Schema schema = new Schema();
    private final List<Problem> problems = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();

    private DocumentReader(Path file) {
        this.file = file;
    }

    static Document read(Path file, byte[] content, Format format) {
        return new DocumentReader(file).read(content, format);
    }

    private Document read(byte[] content, Format format) {
        Optional<YamlNode> root =
                text(content).flatMap(text -> YamlReader.read(file, text, problems));
        Optional<YamlNode> settings =
                switch (format) {
                    case CARREL -> root;
                    case CODUMENTOR ->
                            root.flatMap(tree -> Codumentor.settings(file, tree, problems));
                };
        settings.ifPresent(this::judge);
        return new Document(entries, problems);
    }

    private void judge(YamlNode settings) {
        List<Flaw> flaws = settings.allFlaws("").toList();
        flaws.forEach(flaw -> add(flaw.at(), flaw.told()));
        // What was read in place of an alias says nothing of the value.
        Set<Position> unread = flaws.stream().map(Flaw::at).collect(Collectors.toSet());
        Stream.concat(
                        new Complaints(file, schema, settings).all().stream(),
                        new EgressComplaints(file, settings).all().stream())
                .filter(problem -> !unread.contains(problem.at()))
                .forEach(problems::add);
        new LimitComplaints(file, settings)
                .all(problems).stream()
                        .filter(problem -> !unread.contains(problem.at()))
                        .forEach(problems::add);
        schema.at(List.of()).ifPresent(root -> collect("", root, settings));
        replaceOldNames();
    }

    private void add(Position at, String text) {
        problems.add(new Problem(file, at, Kind.ERROR, text));
    }

    private Optional<String> text(byte[] content) {
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            return Optional.of(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
        } catch (CharacterCodingException wrong) {
            add(YamlReader.START, "this is not UTF-8");
            return Optional.empty();
        }
    }

    /** Takes the values of known keys; the others are named among the problems. */
    private void collect(String path, JsonObject part, YamlNode node) {
        if (!Schema.isGroup(part)) {
            value(new SchemaKey(path, part), node)
                    .ifPresent(value -> entries.add(new Entry(path, value, node.at())));
        } else if (node instanceof Mapping mapping) {
            for (Member member : mapping.members()) {
                Schema.child(part, member.name())
                        .ifPresent(child ->
                                collect(Schema.join(path, member.name()), child, member.value()));
            }
        }
    }

    /** Empty where a list is left empty, which is as if it were not there. */
    private static Optional<JsonValue> value(SchemaKey key, YamlNode node) {
        JsonValue value = YamlValues.of(node);
        if (value == JsonNull.INSTANCE && key.isList()) {
            return Optional.empty();
        }
        boolean replaced =
                key.fallback().isPresent()
                        && node instanceof Scalar
                        && !key.choices().contains(value);
        return Optional.of(replaced ? new JsonString(key.fallback().orElseThrow()) : value);
    }

    private void replaceOldNames() {
        Map.of(
                        "sandbox.clearenv",
                        "sandbox.env_mode",
                        "sandbox.allowed_env_vars",
                        "sandbox.inherit_env_vars")
                .forEach(this::replace);
    }

    /** The new name wins where both are there. */
    private void replace(String oldKey, String newKey) {
        Optional<Entry> old = entry(oldKey);
        old.ifPresent(entries::remove);
        old.filter(_ -> entry(newKey).isEmpty())
                .flatMap(entry -> renamed(entry, newKey))
                .ifPresent(entries::add);
    }

    private Optional<Entry> entry(String key) {
        return entries.stream().filter(entry -> entry.key().equals(key)).findFirst();
    }

    private static Optional<Entry> renamed(Entry old, String key) {
        if (!old.key().equals("sandbox.clearenv")) {
            return Optional.of(new Entry(key, old.value(), old.at()));
        }
        return old.value().toCompact().equals("false")
                ? Optional.of(new Entry(key, new JsonString("inherit_all"), old.at()))
                : Optional.empty();
    }
}
