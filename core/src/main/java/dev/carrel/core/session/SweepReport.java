package dev.carrel.core.session;

import java.time.Instant;
import java.util.List;

/**
 * What a sweep removed, or would remove.
 *
 * @param items in the order of their removal
 */
public record SweepReport(List<Item> items) {

    public SweepReport {
        items = List.copyOf(items);
    }

    /** What is freed in all, in bytes, as {@code du} counts. */
    public long bytes() {
        return items.stream().mapToLong(Item::bytes).sum();
    }

    /**
     * One thing.
     *
     * @param kind what it is
     * @param name the session's id, or the directory below the workspace folder
     * @param lastUsed when it was last used
     * @param bytes what it takes on disk
     */
    public record Item(Kind kind, String name, Instant lastUsed, long bytes) {}

    /** What a sweep removes. */
    public enum Kind {
        /** A session in which nothing was done for long, with its changes. */
        SESSION,
        /** A snapshot that no session uses. */
        SNAPSHOT,
        /** The HOME of an agent that ran as a plain process, with its conversations. */
        AGENT_HOME
    }
}
