package dev.carrel.core.snapshot;

import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.store.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Plans the making and the removal of snapshots. Safe for many threads. */
public final class Snapshots {

    private final ProcessRunner runner;
    private final Map<String, String> environment;

    /**
     * Snapshots for a user.
     *
     * @param environment the caller's environment; only {@code HOME} is looked at
     */
    public Snapshots(ProcessRunner runner, Map<String, String> environment) {
        this.runner = runner;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Decides how the base is made. Writes nothing but a scratch directory that is gone when it
     * returns.
     *
     * @throws dev.carrel.core.failure.InvalidInputException if no session is made of such a
     *     directory
     * @throws dev.carrel.core.failure.UnsupportedHostException if something is mounted inside, or
     *     git is missing
     * @throws dev.carrel.core.failure.HostOperationException if there is no space, objects are
     *     missing, or git fails
     */
    public SnapshotPlan plan(SnapshotRequest request) throws InterruptedException {
        ForbiddenPlaces forbidden =
                new ForbiddenPlaces(
                        Optional.ofNullable(environment.get("HOME")).map(Path::of),
                        stateDirectory(request));
        return switch (request.repo()) {
            case Repo.Git git -> {
                forbidden.refuseState(git.root());
                MountPoints.refuseBelow(git.root());
                yield new GitPlanning(request, git, runner).plan();
            }
            case Repo.Plain plain -> {
                forbidden.refusePlain(plain.root());
                MountPoints.refuseBelow(plain.root());
                yield new PlainPlanning(request, plain, runner).plan();
            }
        };
    }

    private static Path stateDirectory(SnapshotRequest request) {
        Path parent = request.snapshotsDirectory().toAbsolutePath().getParent();
        return parent == null ? request.snapshotsDirectory() : parent;
    }

    /**
     * Removal of shared snapshots that no session uses and that were last asked for longer ago than
     * {@code unused}, with their hidden references, and of what half-done runs left.
     *
     * @param inUse the {@link Base#sharedSnapshot} of all sessions
     */
    public List<Step> collect(Path snapshotsDirectory, Set<Path> inUse, Duration unused) {
        return new Collection(runner, snapshotsDirectory, inUse, unused).steps();
    }

    /** Removal of what half-done runs left. */
    public List<Step> clearLeftovers(Path snapshotsDirectory) {
        return new Collection(runner, snapshotsDirectory, Set.of(), Duration.ZERO).leftovers();
    }

    /** All shared snapshots that no session uses, the one longest not asked for first. */
    public List<UnusedSnapshot> unused(Path snapshotsDirectory, Set<Path> inUse) {
        return new Collection(runner, snapshotsDirectory, inUse, Duration.ZERO).unusedOnes();
    }

    /** Removal of one of them, unless it was asked for since. */
    public List<Step> remove(Path snapshotsDirectory, Set<Path> inUse, UnusedSnapshot snapshot) {
        Duration age = Duration.between(snapshot.lastAsked(), Instant.now());
        return new Collection(runner, snapshotsDirectory, inUse, age).removal(snapshot);
    }
}
