package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.store.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Plans the making and the removal of snapshots. Safe for many threads. */
public final class Snapshots {

    private final ProcessRunner runner;
    private final Map<String, String> environment;

    /**
     * @param environment the caller's environment; only {@code HOME} and {@code XDG_CONFIG_HOME}
     *     are looked at
     */
    public Snapshots(ProcessRunner runner, Map<String, String> environment) {
        this.runner = runner;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Decides how the base is made; reads only.
     *
     * @throws dev.carrel.core.failure.InvalidInputException if such a directory is never copied
     * @throws dev.carrel.core.failure.HostOperationException if there is no space, or git fails
     */
    public SnapshotPlan plan(SnapshotRequest request) throws InterruptedException {
        if (!request.include().isEmpty() || runner != null) {
            throw new HostOperationException("cannot snapshot " + request);
        }
        return new SnapshotPlan(
                new Base(
                        List.of(request.sessionRepoDirectory()),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        BaseMethod.COPY,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(environment.toString())),
                List.of());
    }

    /**
     * Removal of shared snapshots that no session uses and that were last used longer ago than
     * {@code unused}, with their hidden references, and of what half-done runs left.
     *
     * @param inUse the {@link Base#sharedSnapshot} of all sessions
     */
    public List<Step> collect(Path snapshotsDirectory, Set<Path> inUse, Duration unused) {
        return List.of();
    }
}
