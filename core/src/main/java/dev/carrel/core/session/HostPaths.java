package dev.carrel.core.session;

import dev.carrel.core.policy.ViewMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Paths of a session that sees the whole host: all but its own are where they are on the host.
 * Pure.
 *
 * @param launch the directory that it was started in
 */
record HostPaths(Path launch) {

    private static final Path TMP = Path.of("/tmp");
    private static final List<Path> OWN =
            List.of(TMP, Path.of("/run"), Path.of("/dev"), Path.of("/proc"));

    /** The paths of a session; empty for one of repositories. */
    static Optional<HostPaths> of(List<RepoRecord> repos) {
        return repos.stream()
                .filter(repo -> repo.kind() == RepoKind.SCRATCH)
                .findFirst()
                .map(repo -> new HostPaths(repo.root()));
    }

    /** Whether a path means the same inside and outside. */
    boolean isSame(Path path) {
        return !isOwn(path) || (isOwn(launch) && path.startsWith(launch));
    }

    private static boolean isOwn(Path path) {
        return OWN.stream().anyMatch(path::startsWith);
    }

    /** What a path inside is on the host; empty for what is the session's own. */
    Optional<Path> onHost(Path inside) {
        Path hostTmp = ViewMode.HostReadonly.HOST_TMP.path();
        if (inside.startsWith(hostTmp)) {
            return Optional.of(TMP.resolve(hostTmp.relativize(inside)).normalize());
        }
        return Optional.of(inside).filter(this::isSame);
    }
}
