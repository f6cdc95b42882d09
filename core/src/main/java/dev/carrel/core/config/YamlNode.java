package dev.carrel.core.config;

import java.util.List;
import java.util.stream.Stream;

/**
 * A part of a YAML document and where it begins. What must not be in a file of settings, such as an
 * alias, is a flaw of the part that has it: in a file that others share, the rest is their affair.
 */
sealed interface YamlNode {

    Position at();

    /** What is wrong with this part itself. */
    List<Flaw> flaws();

    /** Something that must not be there. */
    record Flaw(Position at, String text) {}

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
    }

    /** The flaws of this part and of all that is in it. */
    default Stream<Flaw> allFlaws() {
        Stream<Flaw> inside =
                switch (this) {
                    case Scalar _ -> Stream.of();
                    case Sequence sequence -> sequence.items().stream().flatMap(YamlNode::allFlaws);
                    case Mapping mapping ->
                            mapping.members().stream()
                                    .flatMap(member ->
                                            Stream.concat(
                                                    member.key().allFlaws(),
                                                    member.value().allFlaws()));
                };
        return Stream.concat(flaws().stream(), inside);
    }
}
