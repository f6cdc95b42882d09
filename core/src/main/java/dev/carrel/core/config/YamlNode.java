package dev.carrel.core.config;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A part of a YAML document and where it begins. What must not be in a file of settings, such as an
 * alias, is a flaw of the part that has it: in a file that others share, the rest is their affair.
 */
sealed interface YamlNode {

    Position at();

    /** What is wrong with this part itself. */
    List<Flaw> flaws();

    /**
     * Something that must not be there.
     *
     * @param key the key it is about, below the part that has it; empty: the part itself
     */
    record Flaw(Position at, String key, String text) {

        Flaw(Position at, String text) {
            this(at, "", text);
        }

        private Flaw below(String path) {
            return key.isEmpty() ? this : new Flaw(at, Schema.join(path, key), text);
        }

        /** What people are told. */
        String told() {
            return key.isEmpty() ? text : key + ": " + text;
        }
    }

    /**
     * A text.
     *
     * @param plain whether it stands without quotes, so that it may be something else than a text
     */
    record Scalar(Position at, List<Flaw> flaws, String text, boolean plain) implements YamlNode {
        public Scalar {
            flaws = List.copyOf(flaws);
        }

        boolean isEmpty() {
            return plain && text.isEmpty();
        }
    }

    /** Values in order. */
    record Sequence(Position at, List<Flaw> flaws, List<YamlNode> items) implements YamlNode {
        public Sequence {
            flaws = List.copyOf(flaws);
            items = List.copyOf(items);
        }
    }

    /** Named values; no name twice. */
    record Mapping(Position at, List<Flaw> flaws, List<Member> members) implements YamlNode {
        public Mapping {
            flaws = List.copyOf(flaws);
            members = List.copyOf(members);
        }
    }

    /** A name and its value. */
    record Member(Scalar key, YamlNode value) {

        String name() {
            return key.text();
        }

        private Stream<Flaw> allFlaws(String path) {
            return Stream.concat(key.allFlaws(path), value.allFlaws(path));
        }
    }

    /**
     * The flaws of this part and of all that is in it.
     *
     * @param path the name of this part; keys in the flaws are whole ones then
     */
    default Stream<Flaw> allFlaws(String path) {
        Stream<Flaw> inside =
                switch (this) {
                    case Scalar _ -> Stream.of();
                    case Sequence sequence ->
                            IntStream.range(0, sequence.items().size())
                                    .boxed()
                                    .flatMap(i ->
                                            sequence.items().get(i).allFlaws(path + "[" + i + "]"));
                    case Mapping mapping ->
                            mapping.members().stream()
                                    .flatMap(member ->
                                            member.allFlaws(Schema.join(path, member.name())));
                };
        return Stream.concat(flaws().stream().map(flaw -> flaw.below(path)), inside);
    }
}
