package dev.carrel.core.egress;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonLines;
import dev.carrel.core.store.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The events of a log, and then those that come, read while others write it. For one thread. */
public final class EgressTail {

    private static final int MOST_AT_ONCE = 1 << 20;

    private final Path file;
    private final Path earlier;
    private String known = "";
    private long position;

    /** Begins with the oldest event that is still there. */
    public EgressTail(EgressLog log) {
        this.file = log.file();
        this.earlier = log.earlier();
    }

    /**
     * Some of what comes next; empty once there is none. Never waits.
     *
     * @throws HostOperationException if the file cannot be read
     */
    public List<EgressEvent> next() {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            String key = String.valueOf(now.fileKey());
            if (known.isEmpty()) {
                known = key;
                return readEarlier();
            }
            if (!key.equals(known)) {
                // The old one was moved aside when it had become too long.
                known = key;
                position = 0;
            }
            return now.size() > position ? read() : List.of();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException failed) {
            throw new HostOperationException(
                    "cannot read " + file + ": " + failed.getMessage(), null, failed);
        }
    }

    private List<EgressEvent> readEarlier() throws IOException {
        List<EgressEvent> events = new ArrayList<>();
        JsonLines.read(earlier).forEach(line -> add(line, events));
        return events.isEmpty() ? read() : events;
    }

    private List<EgressEvent> read() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_AT_ONCE);
        try (FileChannel channel = FileChannel.open(file)) {
            channel.read(bytes, position);
        }
        String text = new String(bytes.array(), 0, bytes.position(), UTF_8);
        // A line may be half written; it is whole the next time.
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        position += whole.getBytes(UTF_8).length;
        List<EgressEvent> events = new ArrayList<>();
        whole.lines().forEach(line -> parse(line, events));
        return events;
    }

    private void parse(String line, List<EgressEvent> events) {
        try {
            if (Json.parse(line, file.toString()) instanceof JsonObject event) {
                add(event, events);
            }
        } catch (CarrelException damaged) {
            // One lost line must not hide the others.
        }
    }

    private static void add(JsonObject event, List<EgressEvent> events) {
        try {
            EventJson.read(event).ifPresent(events::add);
        } catch (CarrelException damaged) {
            // The same.
        }
    }
}
