package dev.carrel.core.session;

import dev.carrel.core.policy.ResourceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Facts of a session that listings show, found by looking. */
final class Summaries {

    private Summaries() {}

    static SessionSummary broken(SessionId id, Path directory) {
        Instant when = modified(directory);
        return new SessionSummary(
                id,
                Optional.empty(),
                List.of(),
                when,
                when,
                Optional.empty(),
                0,
                0,
                SessionState.BROKEN,
                ResourceLimits.NONE);
    }

    static Instant modified(Path path) {
        try {
            return Files.getLastModifiedTime(path).toInstant();
        } catch (IOException e) {
            return Instant.EPOCH;
        }
    }
}
