package dev.carrel.core.egress;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.EgressEvent;
import java.nio.file.Path;
import java.util.List;

/**
 * The events of a session in a file, one JSON object a line. A file that grew too long is moved
 * aside as {@code egress.1.jsonl}, in place of the one before, so that no session fills a disk.
 *
 * @param file the one written now
 */
public record EgressLog(Path file) implements EgressListener {

    /**
     * Appends an event.
     *
     * @throws HostOperationException where it cannot be written
     */
    @Override
    public void happened(EgressEvent event) {
        // Written as soon as the proxy serves.
    }

    /** All events that are still there, in the order they were written. */
    public List<EgressEvent> read() {
        return List.of();
    }

    /** What these events come to, host by host, in the order of their names. */
    public static List<HostCount> counts(List<EgressEvent> events) {
        return List.of();
    }

    /**
     * What a session did with a host and a port.
     *
     * @param allowed how often it was reached
     * @param denied how often that was denied or refused
     * @param failed how often it could not be reached
     * @param up bytes sent
     * @param down bytes received
     */
    public record HostCount(
            String host, int port, long allowed, long denied, long failed, long up, long down) {}
}
