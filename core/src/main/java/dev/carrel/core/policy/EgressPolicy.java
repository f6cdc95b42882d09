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
        hostPorts.forEach(EgressPolicy::checkedPort);
        upstream.ifPresent(EgressPolicy::checkedUpstream);
        extraCa.forEach(EgressPolicy::checkedFile);
    }

    /**
     * Reads a port of the host's loopback.
     *
     * @throws InvalidInputException if it cannot be reached at the same number
     */
    public static int hostPort(String text) {
        int port = IpText.decimal(text);
        if (port < 0) {
            throw new InvalidInputException(Visible.quoted(text) + " is not a port number");
        }
        return checkedPort(port);
    }

    private static int checkedPort(int port) {
        if (port < FIRST_PORT || port > LAST_PORT) {
            throw new InvalidInputException(
                    port
                            + " is not possible; ports from 1024 to 65535 can be reached at the same"
                            + " number");
        }
        return port;
    }

    /**
     * Checks the URL of a proxy above, or {@link #CALLERS_PROXY}.
     *
     * @throws InvalidInputException without repeating it, since it may hold a password
     */
    public static String checkedUpstream(String text) {
        if (!text.equals(CALLERS_PROXY)) {
            Upstream.parse(text);
        }
        return text;
    }

    static Path certificates(String text) {
        return checkedFile(Path.of(text));
    }

    private static Path checkedFile(Path file) {
        if (!file.isAbsolute()) {
            throw new InvalidInputException("'" + file + "' is not an absolute path");
        }
        return file;
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
