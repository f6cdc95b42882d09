package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.snapshot.Snapshots;
import dev.carrel.core.store.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Removes shared snapshots that no session uses any more, once they are old enough. */
final class SnapshotCollection {

    private final HostTools tools;

    SnapshotCollection(HostTools tools) {
        this.tools = tools;
    }

    void run() throws InterruptedException {
        Set<Path> inUse = new HashSet<>();
        for (Path directory : SessionDirectories.in(tools.layout().sessions())) {
            Path record = directory.resolve("session.json");
            if (Files.exists(record)) {
                try {
                    SessionFormat.read(record)
                            .repos()
                            .forEach(repo -> repo.base().sharedSnapshot().ifPresent(inUse::add));
                } catch (CarrelException e) {
                    // What an unreadable record uses is unknown, so nothing may be removed.
                    return;
                }
            }
        }
        Snapshots snapshots = new Snapshots(tools.runner(), tools.settings().environment());
        for (Step step :
                snapshots.collect(
                        tools.layout().snapshots(), inUse, tools.settings().workspaceTtl())) {
            step.run();
        }
    }
}
