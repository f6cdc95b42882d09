package dev.carrel.cli;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.Nearest;
import dev.carrel.core.session.SessionEgress;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carrel egress}. */
@Command(
        name = "carrel egress",
        header = "Show and change what a session may reach in the network.",
        customSynopsis = {
            "carrel egress ID [--json]",
            "       carrel egress ID allow|deny HOST… [--json]",
            "       carrel egress ID reset [HOST…] [--json]",
            "       carrel egress ID log [--follow] [--json]"
        },
        description = {
            "",
            "Without a word: the rules that hold, and what was reached and denied, host by host. allow and",
            "deny add rules to the session, reset takes added ones away. They hold for the next connection",
            "of every command; a tunnel to a host that is not allowed any more is closed. log lists every",
            "connection, denied ones with what decided.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel egress calm-otter",
            "  carrel egress calm allow api.example.org '*.example.net:8443' tcp://db.example.org:5432",
            "  carrel egress calm deny 10.0.0.0/8",
            "  carrel egress calm reset api.example.org",
            "  carrel egress calm log --follow"
        })
final class EgressVerb implements Verb {

    private static final List<String> ACTIONS = List.of("allow", "deny", "reset", "log");
    private static final long LOOK_MILLIS = 200;

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Option(names = "--follow", description = "With log: print what happens until interrupted.")
    boolean follow;

    @Parameters(index = "0", paramLabel = "ID", description = "The session.")
    String session = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ACTION",
            description = "allow, deny, reset or log.")
    Optional<String> action = Optional.empty();

    @Parameters(
            index = "2..*",
            arity = "0..*",
            paramLabel = "HOST",
            description =
                    "A rule: api.example.org (ports 80 and 443), example.org:8443, *.example.org,"
                            + " tcp://db.example.org:5432, 192.0.2.1; with deny also 10.0.0.0/8.")
    List<String> hosts = List.of();

    @Override
    public int run(Context context) throws InterruptedException {
        check();
        CoreSession found = context.sessions().find(session);
        CoreEgress egress = found.egress();
        switch (action.orElse("")) {
            case "allow" -> allow(context, found);
            case "deny" -> egress.deny(hosts);
            case "reset" -> egress.reset(hosts);
            case "log" -> {
                return log(context, found);
            }
            default -> {}
        }
        EgressReport report = new EgressReport(found.id(), egress);
        if (json.asked) {
            context.out().println(report.json().written());
        } else {
            report.lines().forEach(context.out()::println);
        }
        return ExitCode.OK;
    }

    private void allow(Context context, CoreSession found) throws InterruptedException {
        if (found.egress().allow(hosts)) {
            context.err()
                    .println(
                            "carrel: commands run in "
                                    + found.id()
                                    + " that have no way out, since nothing was allowed when they"
                                    + " started; those that start from now on have it");
        }
    }

    private void check() {
        if (action.isPresent() && !ACTIONS.contains(action.get())) {
            throw wrong(
                    "there is no '"
                            + action.get()
                            + "' here; did you mean "
                            + Nearest.to(action.get(), ACTIONS)
                            + "?");
        }
        boolean adds = action.filter(List.of("allow", "deny")::contains).isPresent();
        if (adds && hosts.isEmpty()) {
            throw wrong("carrel egress ID " + action.get() + " needs a HOST");
        }
        boolean logs = action.equals(Optional.of("log"));
        if (logs && !hosts.isEmpty()) {
            throw wrong("log takes no HOST");
        }
        if (follow && !logs) {
            throw wrong("--follow goes with log");
        }
    }

    private static InvalidInputException wrong(String problem) {
        return new InvalidInputException(problem, "carrel help egress");
    }

    private int log(Context context, CoreSession found) throws InterruptedException {
        if (!follow) {
            print(context, found.egress().events());
            return ExitCode.OK;
        }
        SessionEgress.Following following = found.egress().follow();
        while (isThere(context, found.id())) {
            List<EgressEvent> events = following.next();
            print(context, events);
            context.out().flush();
            if (events.isEmpty()) {
                Thread.sleep(LOOK_MILLIS);
            }
        }
        return ExitCode.OK;
    }

    private static boolean isThere(Context context, String id) throws InterruptedException {
        try {
            context.sessions().find(id);
            return true;
        } catch (NotFoundException removed) {
            return false;
        }
    }

    /** One object a line, so that it can be read as it comes. */
    private void print(Context context, List<EgressEvent> events) {
        for (EgressEvent event : events) {
            context.out()
                    .println(
                            json.asked
                                    ? EgressLines.json(event).written()
                                    : Human.oneLine(EgressLines.text(event)));
        }
    }
}
