package dev.carrel.core.session;

import dev.carrel.core.store.JsonLines;
import dev.carrel.core.store.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The commands of a session, in a file of JSON lines: one when a command starts, one when it has
 * ended. A start without an end runs, or lost the process that supervised it.
 */
final class SessionLog {

    private final Path file;

    SessionLog(Path file) {
        this.file = file;
    }

    void started(String command, List<String> argv, String directory, Instant when) {
        JsonLines.append(
                file,
                JsonObject.builder()
                        .put("event", "started")
                        .put("command", command)
                        .put("time", when.toString())
                        .put("directory", directory)
                        .putStrings("argv", argv)
                        .build());
    }

    void ended(String command, int exit, Duration duration) {
        JsonLines.append(
                file,
                JsonObject.builder()
                        .put("event", "ended")
                        .put("command", command)
                        .put("exit", exit)
                        .put("millis", duration.toMillis())
                        .build());
    }

    List<LogEntry> read() {
        Map<String, LogEntry> entries = new LinkedHashMap<>();
        for (JsonObject line : JsonLines.read(file)) {
            String command = line.string("command");
            if (line.string("event").equals("started")) {
                entries.put(
                        command,
                        new LogEntry(
                                line.strings("argv"),
                                line.string("directory"),
                                Instant.parse(line.string("time")),
                                Optional.empty(),
                                Optional.empty()));
            } else {
                entries.computeIfPresent(command, (_, entry) -> ended(entry, line));
            }
        }
        return List.copyOf(entries.values());
    }

    private static LogEntry ended(LogEntry entry, JsonObject line) {
        return new LogEntry(
                entry.argv(),
                entry.directory(),
                entry.started(),
                Optional.of(Duration.ofMillis(line.integer("millis"))),
                Optional.of(line.smallInteger("exit")));
    }
}
