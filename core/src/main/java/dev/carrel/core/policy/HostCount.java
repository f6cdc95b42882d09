package dev.carrel.core.policy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a session did with a host and a port.
 *
 * @param host the host; empty for what named none that is understood
 * @param allowed how often it was reached
 * @param denied how often that was denied or refused
 * @param failed how often it could not be reached
 * @param up bytes sent
 * @param down bytes received
 */
public record HostCount(
        String host, int port, long allowed, long denied, long failed, long up, long down) {

    /** What these events come to, host by host, in the order of their names. */
    public static List<HostCount> of(List<EgressEvent> events) {
        Map<String, HostCount> counts = new TreeMap<>();
        for (EgressEvent event : events) {
            HostCount none = new HostCount(event.host(), event.port(), 0, 0, 0, 0, 0);
            counts.merge(
                    event.host() + " " + event.port(), none.and(event), (sum, _) -> sum.and(event));
        }
        return List.copyOf(counts.values());
    }

    private HostCount and(EgressEvent event) {
        return switch (event) {
            case EgressEvent.Allowed _ ->
                    new HostCount(host, port, allowed + 1, denied, failed, up, down);
            case EgressEvent.Denied _, EgressEvent.Refused _ ->
                    new HostCount(host, port, allowed, denied + 1, failed, up, down);
            case EgressEvent.Failed _ ->
                    new HostCount(host, port, allowed, denied, failed + 1, up, down);
            case EgressEvent.Closed end ->
                    new HostCount(
                            host, port, allowed, denied, failed, up + end.up(), down + end.down());
        };
    }
}
