package dev.carrel.cli;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.session.NetworkResult;
import java.util.ArrayList;
import java.util.List;

/**
 * What is said after a command of what it met at the border of its session's network.
 *
 * @param session the id of its session
 * @param kept whether the session is still there
 */
record NetworkReport(String session, boolean kept, NetworkResult result) {

    private static final int MOST = 5;

    /** Told also where nobody watches: programs that run commands read it. */
    void tell(Context context) {
        lines().forEach(line -> context.err().println("carrel: " + Human.oneLine(line)));
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        result.lost()
                .ifPresent(why ->
                        lines.add(
                                "the session's network was lost while the command ran: "
                                        + why
                                        + "; nothing was reached since, the next command has it"
                                        + " again"));
        List<EgressEvent.Denied> denied = result.denied();
        denied.stream().limit(MOST).map(this::line).forEach(lines::add);
        if (denied.size() > MOST) {
            lines.add(
                    "and "
                            + (denied.size() - MOST)
                            + " more"
                            + (kept ? ": carrel egress " + session + " log" : ""));
        }
        return lines;
    }

    private String line(EgressEvent.Denied denied) {
        String what =
                "egress to "
                        + denied.host()
                        + ":"
                        + denied.port()
                        + " was denied: "
                        + denied.reason();
        return denied.cure().map(rule -> what + "; to allow it: " + cure(rule)).orElse(what);
    }

    private String cure(String rule) {
        return kept ? "carrel egress " + session + " allow " + rule : "carrel run --allow " + rule;
    }

    /** Fields are left out where there is nothing to say. */
    void addTo(Json.Fields fields) {
        if (!result.denied().isEmpty()) {
            fields.put(
                    "denied",
                    new Json.Array(result.denied().stream().map(NetworkReport::json).toList()));
        }
        fields.putIfPresent("networkLost", result.lost());
    }

    private static Json json(EgressEvent.Denied denied) {
        return Json.object()
                .put("host", denied.host())
                .put("port", denied.port())
                .putIfPresent("rule", denied.rule())
                .put("reason", denied.reason())
                .putIfPresent("allow", denied.cure());
    }
}
