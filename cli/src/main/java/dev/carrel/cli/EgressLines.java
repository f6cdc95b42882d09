package dev.carrel.cli;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressEvent.Protocol;
import java.util.Locale;

/** What happened at the border of a session's network, one line each. */
final class EgressLines {

    private static final int SECONDS = 19;

    private EgressLines() {}

    static String text(EgressEvent event) {
        String what =
                event.time().toString().substring(0, SECONDS)
                        + "Z  #"
                        + event.connection()
                        + "  "
                        + event.host()
                        + ":"
                        + event.port()
                        + "  ";
        return what
                + switch (event) {
                    case EgressEvent.Allowed allowed ->
                            "allowed by rule '" + allowed.rule() + "', to " + allowed.address();
                    case EgressEvent.Denied denied ->
                            "denied: "
                                    + denied.reason()
                                    + denied.cure()
                                            .map(rule -> "; '" + rule + "' would allow it")
                                            .orElse("");
                    case EgressEvent.Refused refused -> "refused: " + refused.reason();
                    case EgressEvent.Failed failed -> "failed: " + failed.reason();
                    case EgressEvent.Closed closed ->
                            "closed: "
                                    + closed.reason()
                                    + ", "
                                    + Human.size(closed.up())
                                    + " sent, "
                                    + Human.size(closed.down())
                                    + " received";
                };
    }

    static Json json(EgressEvent event) {
        Json.Fields to =
                Json.object()
                        .put("time", event.time().toString())
                        .put("connection", event.connection())
                        .put("host", event.host())
                        .put("port", event.port());
        return switch (event) {
            case EgressEvent.Allowed allowed ->
                    kind(to, "allowed", allowed.protocol())
                            .put("rule", allowed.rule())
                            .put("address", allowed.address());
            case EgressEvent.Denied denied ->
                    kind(to, "denied", denied.protocol())
                            .putIfPresent("rule", denied.rule())
                            .put("reason", denied.reason())
                            .putIfPresent("allow", denied.cure());
            case EgressEvent.Refused refused ->
                    kind(to, "refused", refused.protocol()).put("reason", refused.reason());
            case EgressEvent.Failed failed ->
                    kind(to, "failed", failed.protocol()).put("reason", failed.reason());
            case EgressEvent.Closed closed ->
                    to.put("event", "closed")
                            .put("sent", closed.up())
                            .put("received", closed.down())
                            .put("reason", closed.reason());
        };
    }

    private static Json.Fields kind(Json.Fields to, String event, Protocol protocol) {
        return to.put("event", event).put("protocol", protocol.name().toLowerCase(Locale.ROOT));
    }
}
