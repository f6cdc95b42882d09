package dev.carrel.core.snapshot;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.repo.Repo;
import java.nio.file.Path;
import java.util.List;

/**
 * What to take a snapshot of, and where to.
 *
 * @param identity who owns the snapshot's files: the overlay inside maps only this user
 * @param uncommitted whether modified, staged and untracked files of a git work tree come along
 * @param include patterns of {@code gitignore} syntax, relative to the root: files that git ignores
 *     and that come along all the same
 * @param snapshotsDirectory where shared snapshots are; made if missing
 * @param sessionRepoDirectory where the private layer goes, as {@code base}; what an earlier
 *     attempt left there is removed
 */
public record SnapshotRequest(
        Repo repo,
        Identity identity,
        boolean uncommitted,
        List<String> include,
        Path snapshotsDirectory,
        Path sessionRepoDirectory) {
    public SnapshotRequest {
        include = List.copyOf(include);
    }
}
