package dev.carrel.core.config;

import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.config.YamlNode.Mapping;
import dev.carrel.core.config.YamlNode.Scalar;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Setting;
import dev.carrel.core.store.JsonNull;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits that are written as the schema wants them, and that a session would be refused for: too
 * little to start anything with.
 */
final class LimitComplaints {

    private static final String GROUP = "limits";

    private final Path file;
    private final YamlNode root;

    LimitComplaints(Path file, YamlNode root) {
        this.file = file;
        this.root = root;
    }

    /**
     * All of them.
     *
     * @param known what is known to be wrong: one complaint for each place is enough
     */
    List<Problem> all(List<Problem> known) {
        List<Problem> problems = new ArrayList<>();
        if (root instanceof Mapping settings) {
            settings.members().stream()
                    .filter(member -> member.name().equals(GROUP))
                    .filter(member -> member.value() instanceof Mapping)
                    .flatMap(member -> ((Mapping) member.value()).members().stream())
                    .filter(member -> member.value() instanceof Scalar)
                    .filter(member ->
                            known.stream().noneMatch(p -> p.at().equals(member.value().at())))
                    .forEach(member -> check(member.name(), (Scalar) member.value(), problems));
        }
        return problems;
    }

    private void check(String name, Scalar value, List<Problem> problems) {
        if (YamlValues.of(value) == JsonNull.INSTANCE) {
            return;
        }
        String text = SchemaKey.shown(YamlValues.of(value));
        try {
            ResourceLimits.of(List.of(new Setting(GROUP + "." + name, List.of(text), "")));
        } catch (InvalidInputException wrong) {
            wrong.problems()
                    .forEach(problem ->
                            problems.add(
                                    new Problem(file, value.at(), Kind.ERROR, problem.strip())));
        }
    }
}
