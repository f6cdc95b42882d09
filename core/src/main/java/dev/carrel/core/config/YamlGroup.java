package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.config.YamlNode.Mapping;
import dev.carrel.core.config.YamlNode.Member;
import dev.carrel.core.config.YamlNode.Scalar;
import dev.carrel.core.config.YamlNode.Sequence;
import dev.carrel.core.policy.Nearest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A group of keys in a YAML file that is no file of settings, such as the description of an agent.
 * As strict as with those, and in the same words: whoever reads it names all keys that there are,
 * and problems are collected with their places, to be told all at once. Numbers and truth values
 * are texts here, as they were written. For one thread.
 */
public final class YamlGroup {

    private final Path file;
    private final String path;
    private final Mapping mapping;
    private final List<Problem> problems;

    private YamlGroup(Path file, String path, Mapping mapping, List<Problem> problems) {
        this.file = file;
        this.path = path;
        this.mapping = mapping;
        this.problems = problems;
    }

    /** One element of a list: a text, or texts that belong together. */
    public sealed interface Item {

        /** A text. */
        record One(String text) implements Item {}

        /** Texts in a list of their own. */
        record Several(List<String> texts) implements Item {
            public Several {
                texts = List.copyOf(texts);
            }
        }
    }

    /**
     * The group that is the whole file.
     *
     * @throws dev.carrel.core.failure.CarrelException where the file cannot be read
     */
    public static YamlGroup read(Path file) {
        List<Problem> problems = new ArrayList<>();
        byte[] content = new ConfigFile(file, ConfigFile.Role.NAMED).read(0);
        Optional<YamlNode> root =
                text(file, content, problems)
                        .flatMap(text -> YamlReader.read(file, text, problems));
        root.stream()
                .flatMap(node -> node.allFlaws(""))
                .forEach(flaw -> problems.add(error(file, flaw.at(), flaw.told())));
        if (root.isPresent() && root.get() instanceof Mapping mapping) {
            return new YamlGroup(file, "", mapping, problems);
        }
        if (problems.isEmpty()) {
            problems.add(error(file, YamlReader.START, "it has to be a group of keys"));
        }
        return new YamlGroup(
                file, "", new Mapping(YamlReader.START, List.of(), List.of()), problems);
    }

    private static Optional<String> text(Path file, byte[] content, List<Problem> problems) {
        try {
            return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString());
        } catch (CharacterCodingException wrong) {
            problems.add(error(file, YamlReader.START, "this is not UTF-8"));
            return Optional.empty();
        }
    }

    private static Problem error(Path file, Position at, String text) {
        return new Problem(file, at, Kind.ERROR, text);
    }

    /** Complains about all other keys. */
    public YamlGroup only(List<String> known) {
        for (Member member : mapping.members()) {
            if (!known.contains(member.name())) {
                String guess =
                        Nearest.within(member.name(), known)
                                .map(name -> "; did you mean " + whole(name) + "?")
                                .orElse("");
                add(member.key().at(), whole(member.name()) + ": there is no such key" + guess);
            }
        }
        return this;
    }

    private String whole(String name) {
        return Schema.join(path, name);
    }

    private void add(Position at, String text) {
        problems.add(error(file, at, text));
    }

    /** Something is wrong with the value of a key, or with its absence. */
    public void complain(String key, String text) {
        Position at = find(key).map(YamlNode::at).orElse(mapping.at());
        add(at, whole(key) + ": " + text);
    }

    /** What is wrong so far, in the order of the text; each with file, line and column. */
    public List<String> problems() {
        return problems.stream()
                .sorted(Comparator.comparing(Problem::at))
                .map(Problem::toString)
                .toList();
    }

    private Optional<YamlNode> find(String key) {
        return mapping.members().stream()
                .filter(member -> member.name().equals(key))
                .map(Member::value)
                .findFirst();
    }

    public boolean has(String key) {
        return find(key).isPresent();
    }

    /** A text that is not empty; empty where there is none. */
    public Optional<String> text(String key) {
        return find(key).flatMap(node -> text(key, node));
    }

    /** The same, and it is a problem if there is none. */
    public Optional<String> required(String key) {
        if (!has(key)) {
            complain(key, "it is missing");
        }
        return text(key);
    }

    private Optional<String> text(String key, YamlNode node) {
        if (node instanceof Scalar scalar && !scalar.isEmpty()) {
            return Optional.of(scalar.text());
        }
        add(node.at(), whole(key) + ": it has to be a text");
        return Optional.empty();
    }

    /** A list of texts; empty where there is none. */
    public List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        for (YamlNode item : elements(key)) {
            text(key, item).ifPresent(texts::add);
        }
        return texts;
    }

    /** A list whose elements may be lists of texts. */
    public List<Item> items(String key) {
        List<Item> items = new ArrayList<>();
        for (YamlNode element : elements(key)) {
            if (element instanceof Sequence several) {
                List<String> texts = new ArrayList<>();
                for (YamlNode item : several.items()) {
                    text(key, item).ifPresent(texts::add);
                }
                items.add(new Item.Several(texts));
            } else {
                text(key, element).map(Item.One::new).ifPresent(items::add);
            }
        }
        return items;
    }

    private List<YamlNode> elements(String key) {
        return switch (find(key).orElse(null)) {
            case Sequence sequence -> sequence.items();
            case null -> List.of();
            case YamlNode other -> {
                add(other.at(), whole(key) + ": it has to be a list");
                yield List.of();
            }
        };
    }

    /** Texts by names that are not known before. */
    public Map<String, String> named(String key) {
        Map<String, String> named = new LinkedHashMap<>();
        group(key)
                .ifPresent(group -> {
                    for (Member member : group.mapping.members()) {
                        group.text(member.name())
                                .ifPresent(value -> named.put(member.name(), value));
                    }
                });
        return named;
    }

    /** A group of keys within. Its problems are this one's, too. */
    public Optional<YamlGroup> group(String key) {
        return switch (find(key).orElse(null)) {
            case Mapping inner -> Optional.of(new YamlGroup(file, whole(key), inner, problems));
            case null -> Optional.empty();
            case YamlNode other -> {
                add(other.at(), whole(key) + ": it has to be a group of keys");
                yield Optional.empty();
            }
        };
    }
}
