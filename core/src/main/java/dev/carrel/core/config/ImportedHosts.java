package dev.carrel.core.config;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The hosts of another sandbox's lists as rules of {@code egress}, as far as they are that here.
 * What is denied there is never reached here: where that cannot be said, nothing is allowed.
 */
final class ImportedHosts {

    private static final String EVERY_HOST = "*";
    private static final List<Integer> WEB = List.of(80, 443);

    private final ImportWriter writer;
    private final List<Host> allowed = new ArrayList<>();
    private final List<EgressRule> denied = new ArrayList<>();
    private final Set<Integer> deniedPorts = new TreeSet<>();
    private boolean allDenied;

    ImportedHosts(ImportWriter writer) {
        this.writer = writer;
    }

    /** A host as it is written, and where. */
    private record Host(String key, String text) {
        String name() {
            return key + " " + text;
        }
    }

    void allow(String key, String text) {
        allowed.add(new Host(key, text));
    }

    void deny(String key, String text) {
        if (text.equals(EVERY_HOST)) {
            allDenied = true;
            writer.note(key + " *", "no host is allowed then");
        } else if (text.matches("\\*:\\d{1,5}")) {
            deniedPorts.add(Integer.parseInt(text.substring(2)));
            writer.note(key + " " + text, "this port is left out of what is allowed");
        } else {
            try {
                denied.add(EgressRule.deny(text));
                writer.add("egress.deny", text);
            } catch (InvalidInputException wrong) {
                writer.note(key + " " + text, "it is no rule here: " + wrong.message());
            }
        }
    }

    /** Converts what is allowed; to be called once all that is denied is known. */
    void finish() {
        boolean anyPort = false;
        for (Host host : allowed) {
            if (host.text().equals(EVERY_HOST) || host.text().startsWith("*:")) {
                writer.note(host.name(), "name the hosts: everything at once cannot be allowed");
            } else if (allDenied) {
                writer.note(host.name(), "everything is denied");
            } else {
                anyPort |= convert(host);
            }
        }
        if (anyPort) {
            writer.note(
                    "hosts without a port",
                    "they are reached at ports 80 and 443; add HOST:PORT for others, tcp://HOST:PORT"
                            + " for what is neither HTTP nor TLS");
        }
    }

    /** Whether it was one without a port. */
    private boolean convert(Host host) {
        try {
            EgressRule rule = EgressRule.allow(host.text());
            List<String> against = new EgressRules(List.of(rule), denied).contradictions();
            if (!against.isEmpty()) {
                writer.note(host.name(), against.getFirst());
                return false;
            }
            return switch (rule.ports()) {
                case EgressRule.Ports.Web _ -> web(host);
                case EgressRule.Ports.Single(int port) -> single(host, port);
                case EgressRule.Ports.Every _ -> single(host, 0);
            };
        } catch (InvalidInputException wrong) {
            writer.note(host.name(), "it is no rule here: " + wrong.message());
            return false;
        }
    }

    private boolean single(Host host, int port) {
        if (deniedPorts.contains(port)) {
            writer.note(host.name(), "this port is denied for all hosts");
        } else {
            writer.add("egress.allow", host.text());
        }
        return false;
    }

    private boolean web(Host host) {
        if (WEB.stream().noneMatch(deniedPorts::contains)) {
            writer.add("egress.allow", host.text());
            return true;
        }
        WEB.stream()
                .filter(port -> !deniedPorts.contains(port))
                .forEach(port -> writer.add("egress.allow", host.text() + ":" + port));
        return true;
    }
}
