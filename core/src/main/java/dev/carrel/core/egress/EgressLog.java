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
}
