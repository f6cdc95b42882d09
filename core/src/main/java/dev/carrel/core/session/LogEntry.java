package dev.carrel.core.session;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One command in the log of a session.
 *
 * @param exit empty while it runs, or when the process that supervised it was killed
 */
public record LogEntry(
        List<String> argv,
        String directory,
        Instant started,
        Optional<Duration> duration,
        Optional<Integer> exit) {

    public LogEntry {
        argv = List.copyOf(argv);
    }
}
