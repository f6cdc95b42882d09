package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressEvent.Protocol;
import dev.carrel.core.store.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Events as JSON and back. */
final class EventJson {

    private static final String ALLOWED = "allowed";
    private static final String DENIED = "denied";
    private static final String REFUSED = "refused";
    private static final String FAILED = "failed";
    private static final String CLOSED = "closed";

    private EventJson() {}

    static JsonObject write(EgressEvent event) {
        JsonObject.Builder to = JsonObject.builder();
        to.put("time", event.time().toString()).put("event", kind(event));
        to.put("connection", event.connection());
        to.put("host", event.host()).put("port", event.port());
        switch (event) {
            case EgressEvent.Allowed allowed ->
                    protocol(to, allowed.protocol())
                            .put("rule", allowed.rule())
                            .put("address", allowed.address());
            case EgressEvent.Denied denied ->
                    protocol(to, denied.protocol())
                            .put("rule", denied.rule())
                            .put("reason", denied.reason())
                            .put("cure", denied.cure());
            case EgressEvent.Refused refused ->
                    protocol(to, refused.protocol()).put("reason", refused.reason());
            case EgressEvent.Failed failed ->
                    protocol(to, failed.protocol()).put("reason", failed.reason());
            case EgressEvent.Closed closed ->
                    to.put("up", closed.up())
                            .put("down", closed.down())
                            .put("reason", closed.reason());
        }
        return to.build();
    }

    private static String kind(EgressEvent event) {
        return switch (event) {
            case EgressEvent.Allowed _ -> ALLOWED;
            case EgressEvent.Denied _ -> DENIED;
            case EgressEvent.Refused _ -> REFUSED;
            case EgressEvent.Failed _ -> FAILED;
            case EgressEvent.Closed _ -> CLOSED;
        };
    }

    private static JsonObject.Builder protocol(JsonObject.Builder to, Protocol protocol) {
        return to.put("protocol", protocol.name().toLowerCase(Locale.ROOT));
    }

    /** None where the kind is one of a newer version. */
    static Optional<EgressEvent> read(JsonObject from) {
        Instant time;
        try {
            time = Instant.parse(from.string("time"));
        } catch (DateTimeException damaged) {
            return Optional.empty();
        }
        long number = from.integer("connection");
        String host = from.string("host");
        int port = from.smallInteger("port");
        Protocol protocol = protocol(from.optString("protocol").orElse(""));
        String reason = from.optString("reason").orElse("");
        return switch (from.string("event")) {
            case ALLOWED ->
                    Optional.of(
                            new EgressEvent.Allowed(
                                    time,
                                    number,
                                    protocol,
                                    host,
                                    port,
                                    from.string("rule"),
                                    from.string("address")));
            case DENIED ->
                    Optional.of(
                            new EgressEvent.Denied(
                                    time,
                                    number,
                                    protocol,
                                    host,
                                    port,
                                    from.optString("rule"),
                                    reason,
                                    from.optString("cure")));
            case REFUSED ->
                    Optional.of(
                            new EgressEvent.Refused(time, number, protocol, host, port, reason));
            case FAILED ->
                    Optional.of(new EgressEvent.Failed(time, number, protocol, host, port, reason));
            case CLOSED ->
                    Optional.of(
                            new EgressEvent.Closed(
                                    time,
                                    number,
                                    host,
                                    port,
                                    from.integer("up"),
                                    from.integer("down"),
                                    reason));
            default -> Optional.empty();
        };
    }

    private static Protocol protocol(String name) {
        for (Protocol protocol : Protocol.values()) {
            if (protocol.name().equalsIgnoreCase(name)) {
                return protocol;
            }
        }
        return Protocol.UNKNOWN;
    }
}
