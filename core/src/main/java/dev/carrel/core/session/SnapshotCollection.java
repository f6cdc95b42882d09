package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.snapshot.Snapshots;
import dev.carrel.core.snapshot.UnusedSnapshot;
import dev.carrel.core.store.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Removes shared snapshots that no session uses any more, once they are old enough. */
final class SnapshotCollection {

    private final HostTools tools;

    SnapshotCollection(HostTools tools) {
        this.tools = tools;
    }

    /** Removes those that no session has asked for long enough, and what half-done runs left. */
    void run() throws InterruptedException {
        // Which are in use says every session's record: not read where none is old enough to go.
        if (collection(Set.of()).isEmpty()) {
            return;
        }
        Optional<Set<Path>> inUse = inUse(Set.of());
        if (inUse.isPresent()) {
            run(collection(inUse.get()));
        }
    }

    private List<Step> collection(Set<Path> inUse) {
        return snapshots()
                .collect(
                        tools.layout().snapshots(),
                        inUse,
                        tools.settings().retention().snapshots());
    }

    /** Finishes what killed processes began. */
    void clearLeftovers() throws InterruptedException {
        run(snapshots().clearLeftovers(tools.layout().snapshots()));
    }

    /** The same on the way to something else, which it must not keep from work. */
    void tidy() throws InterruptedException {
        for (Step step : snapshots().clearLeftovers(tools.layout().snapshots())) {
            try {
                step.run();
            } catch (CarrelException e) {
                // What cannot be removed stays for the next removal, which says so.
            }
        }
    }

    private static void run(List<Step> steps) throws InterruptedException {
        for (Step step : steps) {
            step.run();
        }
    }

    /**
     * Those that no session uses, the one longest not asked for first.
     *
     * @param gone sessions that do not count
     */
    List<UnusedSnapshot> unused(Set<String> gone) {
        return inUse(gone)
                .map(used -> snapshots().unused(tools.layout().snapshots(), used))
                .orElse(List.of());
    }

    /** Looks once more, when it is carried out, whether a session has come to use it. */
    List<Step> removal(UnusedSnapshot snapshot) {
        return inUse(Set.of())
                .map(used -> snapshots().remove(tools.layout().snapshots(), used, snapshot))
                .orElse(List.of());
    }

    private Snapshots snapshots() {
        return new Snapshots(tools.runner(), tools.settings().environment());
    }

    /** Empty if a record cannot be read: what it uses is unknown, so nothing may be removed. */
    private Optional<Set<Path>> inUse(Set<String> gone) {
        Set<Path> inUse = new HashSet<>();
        for (Path directory : SessionDirectories.in(tools.layout().sessions())) {
            Path record = directory.resolve("session.json");
            if (Files.exists(record) && !gone.contains(directory.getFileName().toString())) {
                try {
                    SessionFormat.read(record)
                            .repos()
                            .forEach(repo -> repo.base().sharedSnapshot().ifPresent(inUse::add));
                } catch (CarrelException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(inUse);
    }
}
