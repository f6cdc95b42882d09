package dev.carrel.core.config;

import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.config.YamlNode.Mapping;
import dev.carrel.core.config.YamlNode.Member;
import dev.carrel.core.config.YamlNode.Scalar;
import dev.carrel.core.config.YamlNode.Sequence;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonString;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What is wrong with the rules and hosts of {@code egress} beyond what the schema language can say:
 * the same as a session would be refused for, each at its place. What is not even of the right kind
 * is left to the schema.
 */
final class EgressComplaints {

    private final Path file;
    private final YamlNode root;
    private final List<Problem> problems = new ArrayList<>();

    EgressComplaints(Path file, YamlNode root) {
        this.file = file;
        this.root = root;
    }

    /** A rule and where it stands. */
    private record Placed(Position at, EgressRule rule) {}

    List<Problem> all() {
        List<Placed> allow = rules("allow", EgressRule::allow);
        List<Placed> deny = rules("deny", EgressRule::deny);
        contradictions(allow, deny.stream().map(Placed::rule).toList());
        for (Placed placed : allow) {
            new EgressRules(List.of(placed.rule()), List.of())
                    .warnings()
                    .forEach(text -> add(placed.at(), Kind.WARNING, "allow", text));
        }
        hosts();
        value("upstream")
                .flatMap(EgressComplaints::text)
                .ifPresent(text -> text(text, "upstream", EgressPolicy::checkedUpstream));
        sharing();
        return problems;
    }

    /** The whole network of the host is narrowed by no list. */
    private void sharing() {
        boolean listed = Stream.of("allow", "host_ports").anyMatch(this::isListed);
        member(root, "sandbox")
                .flatMap(sandbox -> member(sandbox, "unshare_net"))
                .filter(shared -> listed && isFalse(shared))
                .ifPresent(shared ->
                        problems.add(
                                new Problem(
                                        file,
                                        shared.at(),
                                        Kind.ERROR,
                                        "sandbox.unshare_net: false opens the whole network of the"
                                                + " host, which no list of egress narrows; set one"
                                                + " of them")));
    }

    private boolean isListed(String key) {
        return value(key).orElse(null) instanceof Sequence list && !list.items().isEmpty();
    }

    private static boolean isFalse(YamlNode node) {
        return node instanceof Scalar scalar
                && YamlValues.of(scalar).equals(new JsonBoolean(false));
    }

    private List<Placed> rules(String key, Function<String, EgressRule> read) {
        List<Placed> rules = new ArrayList<>();
        texts(key)
                .forEach(node ->
                        text(
                                node,
                                key,
                                text -> rules.add(new Placed(node.at(), read.apply(text)))));
        return rules;
    }

    private void contradictions(List<Placed> allow, List<EgressRule> deny) {
        for (Placed placed : allow) {
            new EgressRules(List.of(placed.rule()), deny)
                    .contradictions()
                    .forEach(text -> add(placed.at(), Kind.ERROR, "allow", text));
        }
    }

    private void hosts() {
        if (value("hosts").orElse(null) instanceof Mapping hosts) {
            for (Member member : hosts.members()) {
                text(member.value())
                        .ifPresent(node ->
                                text(
                                        node,
                                        "hosts",
                                        text ->
                                                EgressPolicy.hosts(
                                                        List.of(member.name() + "=" + text))));
            }
        }
    }

    private void text(Scalar node, String key, Consumer<String> check) {
        try {
            check.accept(node.text());
        } catch (InvalidInputException wrong) {
            wrong.problems().forEach(text -> add(node.at(), Kind.ERROR, key, text));
        }
    }

    private void add(Position at, Kind kind, String key, String text) {
        problems.add(new Problem(file, at, kind, "egress." + key + ": " + text));
    }

    private Stream<Scalar> texts(String key) {
        return value(key).orElse(null) instanceof Sequence list
                ? list.items().stream().flatMap(item -> text(item).stream())
                : Stream.of();
    }

    /** A text that the schema takes: not empty, and without blanks. */
    private static Optional<Scalar> text(YamlNode node) {
        return node instanceof Scalar scalar
                        && YamlValues.of(scalar) instanceof JsonString(String text)
                        && !text.isEmpty()
                        && text.chars().noneMatch(Character::isWhitespace)
                ? Optional.of(scalar)
                : Optional.empty();
    }

    private Optional<YamlNode> value(String key) {
        return member(root, "egress").flatMap(egress -> member(egress, key));
    }

    private static Optional<YamlNode> member(YamlNode node, String name) {
        return node instanceof Mapping mapping
                ? mapping.members().stream()
                        .filter(member -> member.name().equals(name))
                        .map(Member::value)
                        .findFirst()
                : Optional.empty();
    }
}
