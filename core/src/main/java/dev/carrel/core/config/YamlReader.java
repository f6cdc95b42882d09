package dev.carrel.core.config;

import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.config.YamlNode.Flaw;
import dev.carrel.core.config.YamlNode.Mapping;
import dev.carrel.core.config.YamlNode.Member;
import dev.carrel.core.config.YamlNode.Scalar;
import dev.carrel.core.config.YamlNode.Sequence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * The text of one file to a tree with positions. What a reader of the file could misread is a flaw
 * of the tree: repeated keys, of which the first counts, anchors, aliases, merge keys, tags. An
 * error of syntax ends the reading. Depth is bounded, so the recursion is, too; the size is bounded
 * by who reads the file.
 */
final class YamlReader {

    private static final int DEEPEST = 24;

    private final Path file;
    private final List<Problem> problems;
    private final Iterator<Event> events;

    private YamlReader(Path file, String text, List<Problem> problems) {
        this.file = file;
        this.problems = problems;
        LoadSettings settings = LoadSettings.builder().setLabel("").setUseMarks(true).build();
        this.events = new ParserImpl(settings, new StreamReader(settings, text));
    }

    /** The document; empty where there is none, or no whole one. */
    static Optional<YamlNode> read(Path file, String text, List<Problem> problems) {
        try {
            return new YamlReader(file, text, problems).document();
        } catch (TooDeep tooDeep) {
            problems.add(new Problem(file, tooDeep.at, Kind.ERROR, "it is nested too deeply"));
        } catch (MarkedYamlEngineException wrong) {
            Position at = wrong.getProblemMark().map(YamlReader::position).orElse(START);
            problems.add(
                    new Problem(file, at, Kind.ERROR, "this is not YAML: " + wrong.getProblem()));
        } catch (YamlEngineException wrong) {
            problems.add(
                    new Problem(file, START, Kind.ERROR, "this is not YAML: " + oneLine(wrong)));
        }
        return Optional.empty();
    }

    static final Position START = new Position(1, 1);

    private static String oneLine(YamlEngineException wrong) {
        return String.valueOf(wrong.getMessage()).lines().findFirst().orElse("unreadable");
    }

    private Optional<YamlNode> document() {
        Optional<YamlNode> root = Optional.empty();
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof DocumentStartEvent) {
                if (root.isPresent()) {
                    String text = "there is a second document; one file holds one";
                    problems.add(new Problem(file, position(event), Kind.ERROR, text));
                    return root;
                }
                root = Optional.of(node(events.next(), 0));
            }
        }
        return root;
    }

    private YamlNode node(Event event, int depth) {
        if (depth > DEEPEST) {
            throw new TooDeep(position(event));
        }
        return switch (event) {
            case ScalarEvent scalar ->
                    new Scalar(
                            position(event),
                            scalarFlaws(scalar),
                            scalar.getValue(),
                            scalar.isPlain());
            case SequenceStartEvent sequence -> sequence(sequence, depth);
            case MappingStartEvent mapping -> mapping(mapping, depth);
            case AliasEvent alias -> {
                String text =
                        "aliases (*" + alias.getAlias() + ") are not allowed; write the value out";
                yield new Scalar(
                        position(event), List.of(new Flaw(position(event), text)), "", false);
            }
            default -> throw new IllegalStateException("the parser answered " + event);
        };
    }

    private Sequence sequence(SequenceStartEvent start, int depth) {
        List<YamlNode> items = new ArrayList<>();
        for (Event next = events.next();
                next.getEventId() != Event.ID.SequenceEnd;
                next = events.next()) {
            items.add(node(next, depth + 1));
        }
        return new Sequence(position(start), flaws(start, start.getTag()), items);
    }

    private Mapping mapping(MappingStartEvent start, int depth) {
        List<Member> members = new ArrayList<>();
        List<Flaw> flaws = new ArrayList<>(flaws(start, start.getTag()));
        Set<String> names = new HashSet<>();
        for (Event next = events.next();
                next.getEventId() != Event.ID.MappingEnd;
                next = events.next()) {
            YamlNode key = node(next, depth + 1);
            YamlNode value = node(events.next(), depth + 1);
            if (!(key instanceof Scalar name)) {
                flaws.add(new Flaw(key.at(), "a key has to be a text"));
            } else if (name.plain() && name.text().equals("<<")) {
                flaws.add(
                        new Flaw(
                                key.at(), "merge keys (<<) are not allowed; write the values out"));
            } else if (!names.add(name.text())) {
                flaws.add(new Flaw(key.at(), name.text(), "the key is there twice"));
            } else {
                members.add(new Member(name, value));
            }
        }
        return new Mapping(position(start), flaws, members);
    }

    /** No path, name or variable can have a NUL, and the system would cut it there. */
    private static List<Flaw> scalarFlaws(ScalarEvent scalar) {
        List<Flaw> flaws = flaws(scalar, scalar.getTag());
        if (scalar.getValue().indexOf('\0') >= 0) {
            flaws.add(new Flaw(position(scalar), "a text cannot have a NUL character"));
        }
        return flaws;
    }

    private static List<Flaw> flaws(NodeEvent event, Optional<String> tag) {
        List<Flaw> flaws = new ArrayList<>();
        event.getAnchor()
                .ifPresent(name ->
                        flaws.add(
                                new Flaw(
                                        position(event),
                                        "anchors (&" + name + ") are not allowed")));
        tag.ifPresent(name ->
                flaws.add(new Flaw(position(event), "tags (" + name + ") are not allowed")));
        return flaws;
    }

    private static Position position(Event event) {
        return event.getStartMark().map(YamlReader::position).orElse(START);
    }

    private static Position position(Mark mark) {
        return new Position(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static final class TooDeep extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Position at;

        TooDeep(Position at) {
            this.at = at;
        }
    }
}
