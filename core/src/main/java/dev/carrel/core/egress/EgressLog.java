package dev.carrel.core.egress;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.store.JsonLines;
import dev.carrel.core.store.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events of a session in a file, one JSON object a line. A file that grew too long is moved
 * aside as {@code egress.1.jsonl}, in place of the one before, so that no session fills a disk.
 *
 * <p>May be used by several threads; by one process at a time for writing.
 */
public final class EgressLog implements EgressListener {

    /** How long the file may become, in bytes; there are two of them at most. */
    public static final long LONGEST = 16L << 20;

    private final Path file;
    private final long longest;

    /** A log that is in this file, or will be. */
    public EgressLog(Path file) {
        this(file, LONGEST);
    }

    EgressLog(Path file, long longest) {
        this.file = file.toAbsolutePath();
        this.longest = longest;
    }

    /** The file that is written now. */
    public Path file() {
        return file;
    }

    /** What was written before the file became too long. */
    public Path earlier() {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot < 0
                ? file.resolveSibling(name + ".1")
                : file.resolveSibling(name.substring(0, dot) + ".1" + name.substring(dot));
    }

    /**
     * Appends an event.
     *
     * @throws HostOperationException where it cannot be written
     */
    @Override
    public synchronized void happened(EgressEvent event) {
        try {
            if (Files.exists(file) && Files.size(file) > longest) {
                Files.move(file, earlier(), StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException failed) {
            throw new HostOperationException(
                    "cannot move " + file + " aside: " + failed.getMessage(), null, failed);
        }
        JsonLines.append(file, EventJson.write(event));
    }

    /** All events that are still there, in the order they were written. */
    public List<EgressEvent> read() {
        List<JsonObject> lines = new ArrayList<>(JsonLines.read(earlier()));
        lines.addAll(JsonLines.read(file));
        List<EgressEvent> events = new ArrayList<>();
        for (JsonObject line : lines) {
            try {
                EventJson.read(line).ifPresent(events::add);
            } catch (BrokenStoreException damaged) {
                // One lost line must not hide the others.
            }
        }
        return events;
    }

    /** What these events come to, host by host, in the order of their names. */
    public static List<HostCount> counts(List<EgressEvent> events) {
        Map<String, HostCount> counts = new TreeMap<>();
        for (EgressEvent event : events) {
            HostCount none = new HostCount(event.host(), event.port(), 0, 0, 0, 0, 0);
            counts.merge(
                    event.host() + " " + event.port(), none.and(event), (sum, _) -> sum.and(event));
        }
        return List.copyOf(counts.values());
    }

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
                                host,
                                port,
                                allowed,
                                denied,
                                failed,
                                up + end.up(),
                                down + end.down());
            };
        }
    }

    /** An event as a front end shows it to programs: the object that stands in the file. */
    public static JsonObject json(EgressEvent event) {
        return EventJson.write(event);
    }
}
