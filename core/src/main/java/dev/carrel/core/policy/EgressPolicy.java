package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a session may reach in the network, as its settings say it.
 *
 * @param rules which hosts
 * @param hosts addresses of names that DNS is not asked for
 * @param upstream the URL of a proxy that everything goes through; {@link #CALLERS_PROXY} for the
 *     one that the caller's own variables name
 * @param hostPorts ports of the host's loopback that are reached at the same number inside
 * @param extraCa files of certificates, in PEM, that are trusted inside besides the host's
 */
public record EgressPolicy(
        EgressRules rules,
        Map<Host.Name, IpAddress> hosts,
        Optional<String> upstream,
        List<Integer> hostPorts,
        List<Path> extraCa) {

    /** Nothing is reached. */
    public static final EgressPolicy NONE =
            new EgressPolicy(EgressRules.NONE, Map.of(), Optional.empty(), List.of(), List.of());

    /** The value of {@code egress.upstream} that means the caller's own variables. */
    public static final String CALLERS_PROXY = "environment";

    /** Below it a sandboxed process cannot listen, and the bridge is one. */
    private static final int FIRST_PORT = 1024;

    private static final int LAST_PORT = 65_535;

    public EgressPolicy {
        hosts = Map.copyOf(new LinkedHashMap<>(hosts));
        hostPorts = List.copyOf(new LinkedHashSet<>(hostPorts));
        extraCa = List.copyOf(extraCa);
        List<String> problems = new ArrayList<>();
        for (int port : hostPorts) {
            if (port < FIRST_PORT || port > LAST_PORT) {
                problems.add(
                        "egress.host_ports: "
                                + port
                                + " is not possible; ports from 1024 to 65535 can be reached at the"
                                + " same number");
            }
        }
        for (Path file : extraCa) {
            if (!file.isAbsolute()) {
                problems.add("egress.extra_ca: '" + file + "' is not an absolute path");
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
    }

    /** Whether nothing at all is reached, so that neither a proxy nor a bridge is needed. */
    public boolean isNothing() {
        return rules.isEmpty() && hostPorts.isEmpty();
    }

    /** The same with other rules. */
    public EgressPolicy with(EgressRules other) {
        return new EgressPolicy(other, hosts, upstream, hostPorts, extraCa);
    }

    /**
     * Reads {@code NAME=ADDRESS} words.
     *
     * @throws InvalidInputException with every problem
     */
    public static Map<Host.Name, IpAddress> hosts(List<String> words) {
        Map<Host.Name, IpAddress> hosts = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            try {
                if (equals > 0
                        && Host.parseSetting(word.substring(0, equals)) instanceof Host.Name name) {
                    hosts.put(name, IpAddress.parse(word.substring(equals + 1)));
                } else {
                    problems.add("'" + word + "' is not NAME=ADDRESS");
                }
            } catch (InvalidInputException wrong) {
                problems.addAll(wrong.problems());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return hosts;
    }
}
