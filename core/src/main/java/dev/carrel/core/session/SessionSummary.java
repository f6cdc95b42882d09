package dev.carrel.core.session;

import dev.carrel.core.policy.ResourceLimits;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A session as listings show it.
 *
 * @param expires when a sweep removes it if no command is started until then
 * @param diskBytes what it occupies on disk as {@code du} counts, without shared snapshots
 * @param changes how many files differ from the base, git-ignored ones not counted
 * @param state what it is doing
 * @param limits what its commands may use, if they ask for nothing else
 */
public record SessionSummary(
        SessionId id,
        Optional<String> name,
        List<RepoSummary> repos,
        Instant created,
        Instant lastUsed,
        Optional<Instant> expires,
        long diskBytes,
        int changes,
        SessionState state,
        ResourceLimits limits) {

    public SessionSummary {
        repos = List.copyOf(repos);
    }

    /**
     * One repository of a session.
     *
     * @param kind {@code git}, {@code plain}, or {@code scratch} for the directory in which a
     *     session with the whole host was started
     * @param commit the pinned commit, if there is one
     * @param baseMoved whether the host's commit is another one by now
     */
    public record RepoSummary(
            String name, Path path, String kind, Optional<String> commit, boolean baseMoved) {}
}
