package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.Visible;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;

/**
 * What one command has of the network besides what its session has.
 *
 * @param allow rules for this command alone
 * @param publish ports of the session's loopback that are on the host's, at the same number, while
 *     the command runs
 */
public record CommandNetwork(List<EgressRule> allow, List<Integer> publish) {

    /** What the session has. */
    public static final CommandNetwork AS_SESSION = new CommandNetwork(List.of(), List.of());

    private static final int LAST_PORT = 65_535;

    public CommandNetwork {
        allow = List.copyOf(allow);
        publish = List.copyOf(new LinkedHashSet<>(publish));
        publish.forEach(CommandNetwork::checked);
    }

    /**
     * Reads rules as people write them.
     *
     * @throws InvalidInputException with every problem
     */
    public static CommandNetwork of(List<String> allow, List<Integer> publish) {
        return read(allow, publish.stream().map(String::valueOf).toList());
    }

    /**
     * Reads rules and ports as people write them.
     *
     * @throws InvalidInputException with every problem
     */
    public static CommandNetwork read(List<String> allow, List<String> publish) {
        List<String> problems = new ArrayList<>();
        List<EgressRule> rules = each(allow, EgressRule::allow, problems);
        List<Integer> ports = each(publish, CommandNetwork::port, problems);
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return new CommandNetwork(rules, ports);
    }

    private static <T> List<T> each(
            List<String> texts, Function<String, T> read, List<String> problems) {
        List<T> all = new ArrayList<>();
        for (String text : texts) {
            try {
                all.add(read.apply(text));
            } catch (InvalidInputException wrong) {
                problems.addAll(wrong.problems());
            }
        }
        return all;
    }

    private static int port(String text) {
        try {
            return checked(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw unusable(text);
        }
    }

    private static int checked(int port) {
        if (port < 1 || port > LAST_PORT) {
            throw unusable(Integer.toString(port));
        }
        return port;
    }

    private static InvalidInputException unusable(String port) {
        return new InvalidInputException(
                Visible.quoted(port) + " is no port that can be published; use 1 to 65535");
    }

    EgressRules rules() {
        return new EgressRules(allow, List.of());
    }
}
