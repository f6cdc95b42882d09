package dev.carrel.core.snapshot;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * A shared snapshot that no session uses.
 *
 * @param directory where it is
 * @param lastAsked when a session was last made from it
 */
public record UnusedSnapshot(Path directory, Instant lastAsked) {

    /** A session that is being made has no record yet that would say what it uses. */
    private static final Duration BEING_USED = Duration.ofHours(1);

    /** Whether it is old enough to go where space is needed. */
    public boolean mayGoForSpace() {
        return lastAsked.isBefore(Instant.now().minus(BEING_USED));
    }
}
