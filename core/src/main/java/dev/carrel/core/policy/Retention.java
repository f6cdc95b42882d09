package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.time.Duration;
import java.util.List;

/**
 * How long things are kept that nobody uses.
 *
 * @param snapshots a snapshot that no session uses ({@code workspace_ttl})
 * @param sessions a session in which no command was started ({@code snapshots.upper_dir_ttl})
 * @param interval how often what is overdue is swept; zero means only when asked for ({@code
 *     snapshots.cleanup_interval})
 * @param minFreeBytes with less free on the file system of the snapshots, unused ones go before
 *     their time, the oldest first; zero means never ({@code snapshots.min_free_gb})
 */
public record Retention(
        Duration snapshots, Duration sessions, Duration interval, long minFreeBytes) {

    private static final long GIB = 1L << 30;

    /** A day, thirty days, hourly, 5 GiB. */
    public static final Retention DEFAULT =
            new Retention(Duration.ofDays(1), Duration.ofDays(30), Duration.ofHours(1), 5 * GIB);

    public Retention {
        if (minFreeBytes < 0
                || List.of(snapshots, sessions, interval).stream().anyMatch(Duration::isNegative)) {
            throw new InvalidInputException("nothing is kept for less than no time");
        }
    }
}
