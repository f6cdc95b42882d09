package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentAdapter;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.Host;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an agent may reach.
 *
 * @param allowed rules for its run
 * @param needed what it cannot work without
 * @param ownPort a port of the host's loopback where its service is, if it is there
 */
record AgentHosts(List<EgressRule> allowed, List<EgressRule> needed, OptionalInt ownPort) {

    /**
     * Decides.
     *
     * @param listed what the settings say; a list replaces the usual hosts, but for entries that
     *     begin with {@code +}, which add to them
     * @param more hosts besides
     * @param baseUrl where the service is instead of its usual hosts
     */
    static AgentHosts of(
            String backend,
            AgentAdapter.Service service,
            Optional<List<String>> listed,
            List<String> more,
            Optional<String> baseUrl) {
        Optional<Place> place = baseUrl.map(url -> Place.of(backend, url));
        boolean local = place.isPresent() && place.get().isLoopback();
        List<String> usual =
                local ? List.of() : place.map(at -> List.of(at.rule())).orElse(service.hosts());
        List<String> texts = new ArrayList<>();
        List<String> named = listed.orElse(List.of());
        if (listed.isEmpty() || named.stream().anyMatch(text -> text.startsWith("+"))) {
            texts.addAll(usual);
        }
        named.forEach(text -> texts.add(text.startsWith("+") ? text.substring(1) : text));
        String setting = "external_agent.backends." + backend + ".allowed_egress";
        List<EgressRule> allowed = new ArrayList<>(rules(setting, texts));
        allowed.addAll(rules("--allow", more));
        return new AgentHosts(
                List.copyOf(allowed),
                rules(setting, usual),
                local ? OptionalInt.of(place.get().port()) : OptionalInt.empty());
    }

    private static List<EgressRule> rules(String setting, List<String> texts) {
        List<EgressRule> rules = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String text : texts) {
            try {
                rules.add(EgressRule.allow(text));
            } catch (InvalidInputException wrong) {
                wrong.problems().forEach(problem -> problems.add(setting + ": " + problem));
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return rules;
    }

    /**
     * Whether it cannot work without this. Another port of such a host is what a tool asked for.
     *
     * @param host as an event has it, which may be none
     */
    boolean isNeeded(String host, int port) {
        try {
            Host asked = Host.parse(host);
            return needed.stream().anyMatch(rule -> rule.matches(asked, port));
        } catch (InvalidInputException none) {
            return false;
        }
    }

    /**
     * Whether the agent may reach already what this rule would allow. If that was denied, another
     * command of the same session asked for it.
     */
    boolean covers(String rule) {
        EgressRule wanted = EgressRule.allow(rule);
        return allowed.stream().anyMatch(own -> own.covers(wanted));
    }

    /** Where a URL leads. */
    private record Place(String scheme, String host, int port) {

        private static final int HTTP = 80;
        private static final int HTTPS = 443;

        static Place of(String backend, String url) {
            try {
                URI uri = new URI(url);
                String host = uri.getHost();
                if (host != null && uri.getUserInfo() == null) {
                    int usual = "http".equals(uri.getScheme()) ? HTTP : HTTPS;
                    return new Place(
                            uri.getScheme(), host, uri.getPort() < 0 ? usual : uri.getPort());
                }
            } catch (URISyntaxException e) {
                // The same answer.
            }
            throw new InvalidInputException(
                    "external_agent.backends."
                            + backend
                            + ".base_url has to be an address with a host and without a password,"
                            + " such as https://api.example.org");
        }

        boolean isLoopback() {
            return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
        }

        String rule() {
            return port == HTTP || port == HTTPS ? host : host + ":" + port;
        }
    }
}
