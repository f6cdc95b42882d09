package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

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
        for (int port : publish) {
            if (port < 1 || port > LAST_PORT) {
                throw new InvalidInputException(
                        port + " is no port that can be published; use 1 to 65535");
            }
        }
    }

    /**
     * Reads rules as people write them.
     *
     * @throws InvalidInputException with every problem
     */
    public static CommandNetwork of(List<String> allow, List<Integer> publish) {
        return new CommandNetwork(
                new ArrayList<>(EgressRules.parse(allow, List.of()).allow()), publish);
    }

    EgressRules rules() {
        return new EgressRules(allow, List.of());
    }
}
