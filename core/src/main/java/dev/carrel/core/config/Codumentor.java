package dev.carrel.core.config;

import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.config.YamlNode.Flaw;
import dev.carrel.core.config.YamlNode.Mapping;
import dev.carrel.core.config.YamlNode.Member;
import dev.carrel.core.config.YamlNode.Scalar;
import dev.carrel.core.config.YamlNode.Sequence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds in a codumentor.yaml what concerns Carrel: the arguments of two plugins, and {@code
 * external_agent}, which may also stand by itself. Everything else there belongs to others: it is
 * neither read nor complained about.
 */
final class Codumentor {

    private static final String ISOLATION = "codumentor.plugins.workspace_isolation";
    private static final String AGENT = "codumentor.plugins.external_agent";
    private static final String CLASS = "WorkspaceIsolationPlugin";
    private static final String EXTERNAL_AGENT = "external_agent";
    private static final String NO_ALIAS = "aliases are not allowed here; write the value out";

    private final Path file;
    private final List<Problem> problems;

    private Codumentor(Path file, List<Problem> problems) {
        this.file = file;
        this.problems = problems;
    }

    /** The settings as a carrel.yaml would have them; empty where there are none. */
    static Optional<YamlNode> settings(Path file, YamlNode root, List<Problem> problems) {
        Codumentor reader = new Codumentor(file, problems);
        if (root instanceof Mapping mapping) {
            return reader.settings(mapping);
        }
        if (!isEmpty(root)) {
            reader.problem(root, "the file has to be a group of keys");
        }
        return Optional.empty();
    }

    private Optional<YamlNode> settings(Mapping root) {
        List<Mapping> plugins = plugins(root);
        Optional<Member> isolation = arguments(plugins, ISOLATION);
        List<Member> agents = new ArrayList<>(members(root, EXTERNAL_AGENT));
        arguments(plugins, AGENT).ifPresent(agents::add);
        List<Member> settings = new ArrayList<>();
        List<Flaw> flaws = new ArrayList<>(root.flaws());
        for (Mapping plugin : plugins) {
            if (couldBeOurs(plugin)) {
                flaws.addAll(plugin.flaws());
            }
            members(plugin, "module").stream()
                    .map(Member::value)
                    .filter(Codumentor::isAlias)
                    .forEach(module -> problem(module, "module: " + NO_ALIAS));
        }
        isolation
                .map(Member::value)
                .ifPresent(arguments -> {
                    flaws.addAll(arguments.flaws());
                    if (arguments instanceof Mapping mapping) {
                        settings.addAll(mapping.members());
                        agents.addAll(members(mapping, EXTERNAL_AGENT));
                        settings.removeIf(member -> member.name().equals(EXTERNAL_AGENT));
                    } else if (!isEmpty(arguments)) {
                        problem(
                                arguments,
                                "the args of " + ISOLATION + " have to be a group of keys");
                    }
                });
        agents.stream()
                .skip(1)
                .forEach(again ->
                        problem(
                                again.value(),
                                EXTERNAL_AGENT + ": it is there twice, as a plugin and by itself"));
        agents.stream()
                .findFirst()
                .map(agent ->
                        new Member(
                                new Scalar(agent.key().at(), List.of(), EXTERNAL_AGENT, true),
                                agent.value()))
                .ifPresent(settings::add);
        return Optional.of(new Mapping(root.at(), flaws, settings));
    }

    /** What is hidden behind an alias could be a plugin of ours. */
    private List<Mapping> plugins(Mapping root) {
        List<Mapping> plugins = new ArrayList<>();
        for (Member member : members(root, "plugins")) {
            if (member.value() instanceof Sequence list) {
                for (YamlNode item : list.items()) {
                    if (item instanceof Mapping plugin) {
                        plugins.add(plugin);
                    } else if (isAlias(item)) {
                        problem(item, "plugins: " + NO_ALIAS);
                    }
                }
            } else if (!isEmpty(member.value())) {
                problem(member.value(), "plugins: it has to be a list");
            }
        }
        return plugins;
    }

    /** Whether its module is one of ours, or missing: a merge key could bring it. */
    private static boolean couldBeOurs(Mapping plugin) {
        return isText(plugin, "module", ISOLATION)
                || isText(plugin, "module", AGENT)
                || members(plugin, "module").isEmpty();
    }

    /** An alias is read as an empty text that is not plain, with a flaw. */
    private static boolean isAlias(YamlNode node) {
        return node instanceof Scalar scalar
                && !scalar.plain()
                && scalar.text().isEmpty()
                && !scalar.flaws().isEmpty();
    }

    private static boolean isEmpty(YamlNode node) {
        return node instanceof Scalar scalar && scalar.isEmpty();
    }

    /** The arguments of a plugin; a second entry of it is an error. */
    private Optional<Member> arguments(List<Mapping> plugins, String module) {
        List<Mapping> entries =
                plugins.stream().filter(plugin -> isText(plugin, "module", module)).toList();
        entries.stream()
                .skip(1)
                .forEach(again -> problem(again, "the plugin " + module + " is there twice"));
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        Mapping plugin = entries.getFirst();
        if (module.equals(ISOLATION)
                && !members(plugin, "class").isEmpty()
                && !isText(plugin, "class", CLASS)) {
            problem(plugin, "the plugin " + module + " has another class than " + CLASS);
        }
        return members(plugin, "args").stream().findFirst();
    }

    private static boolean isText(Mapping plugin, String name, String text) {
        return members(plugin, name).stream()
                .anyMatch(member ->
                        member.value() instanceof Scalar scalar && scalar.text().equals(text));
    }

    private static List<Member> members(Mapping mapping, String name) {
        return mapping.members().stream().filter(member -> member.name().equals(name)).toList();
    }

    private void problem(YamlNode node, String text) {
        problems.add(new Problem(file, node.at(), Kind.ERROR, text));
    }
}
