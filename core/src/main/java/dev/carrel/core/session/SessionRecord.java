package dev.carrel.core.session;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.host.ToolchainView;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.posix.ProcessIdentity;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is kept of a session in {@code session.json}. What a session is doing is found by looking;
 * only the making and the removal are written down, with the process that is at it, so that a later
 * one can tell an interrupted one.
 *
 * @param token names the session's processes in their mount tables; random, a secret of the host
 * @param tools what of the host it shows, decided when it was made: commands from shells with other
 *     PATHs share it
 * @param mounts further host directories, shown read-only
 */
record SessionRecord(
        SessionId id,
        Optional<String> name,
        Instant created,
        String token,
        Identity identity,
        SandboxPolicy policy,
        ToolchainView tools,
        List<RepoRecord> repos,
        List<MountRecord> mounts,
        Phase phase) {

    SessionRecord {
        repos = List.copyOf(repos);
        mounts = List.copyOf(mounts);
    }

    /** A host path and where it appears. */
    record MountRecord(Path source, String target) {}

    /** How far the session is. */
    sealed interface Phase {
        /** It is being made. */
        record Preparing(ProcessIdentity by) implements Phase {}

        /** It can be used. */
        record Ready() implements Phase {}

        /** It is being removed. */
        record Removing(ProcessIdentity by) implements Phase {}
    }

    SessionRecord in(Phase next) {
        return new SessionRecord(
                id, name, created, token, identity, policy, tools, repos, mounts, next);
    }

    SessionRecord with(List<RepoRecord> others) {
        return new SessionRecord(
                id, name, created, token, identity, policy, tools, others, mounts, phase);
    }

    /** Whether both have the same writable layers. */
    boolean hasLayersOf(SessionRecord other) {
        return repos.stream()
                .map(RepoRecord::generation)
                .toList()
                .equals(other.repos.stream().map(RepoRecord::generation).toList());
    }

    void requireReady() {
        if (!isReady()) {
            throw new ConflictException(
                    "session " + id + " is being made or removed", "Try again.");
        }
    }

    boolean isReady() {
        return phase instanceof Phase.Ready;
    }

    /** Whether somebody was making or removing it and is gone. */
    boolean isInterrupted() {
        return switch (phase) {
            case Phase.Ready() -> false;
            case Phase.Preparing(ProcessIdentity by) -> !by.isAlive();
            case Phase.Removing(ProcessIdentity by) -> !by.isAlive();
        };
    }
}
