package dev.carrel.core.session;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.session.SessionRecord.Phase;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Takes a session away. The steps may be repeated from the start after a kill anywhere. */
final class SessionRemoval {

    private final HostTools tools;

    SessionRemoval(HostTools tools) {
        this.tools = tools;
    }

    /**
     * The steps of a removal.
     *
     * @param record may be of a session that was never finished
     */
    List<Step> steps(SessionRecord record) {
        SessionLayout layout = tools.layout().session(record.id().value());
        Path aside =
                layout.directory().resolveSibling(SessionFiles.Leftovers.name("gone", record.id()));
        return List.of(
                new Step("mark the session", () -> mark(record, layout)),
                new Step("end its processes", () -> end(record, layout)),
                new Step("take it out of the list", () -> moveAside(layout.directory(), aside)),
                new Step("delete its files", () -> delete(aside)),
                new Step("collect snapshots", () -> new SnapshotCollection(tools).run()));
    }

    private static void mark(SessionRecord record, SessionLayout layout) {
        if (Files.exists(layout.record())) {
            SessionRecord marked = record.in(new Phase.Removing(ProcessIdentity.current()));
            Json.write(layout.record(), SessionFormat.write(marked));
        }
    }

    private void end(SessionRecord record, SessionLayout layout) throws InterruptedException {
        if (!Files.exists(SessionFiles.runtime(layout).hold())) {
            return;
        }
        new SessionRuntime(
                        tools.runner(),
                        tools.bwrap(record.identity()).path(),
                        record.identity(),
                        SessionFiles.runtime(layout),
                        record.token())
                .endAll(works(record, layout));
    }

    static List<Path> works(SessionRecord record, SessionLayout layout) {
        return record.repos().stream().map(repo -> repo.work(layout)).toList();
    }

    private static void moveAside(Path directory, Path aside) {
        try {
            Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            // An earlier attempt, or another process, did it.
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot remove " + directory + ": " + e.getMessage(), null, e);
        }
    }

    private static void delete(Path directory) {
        Path parent = directory.getParent();
        if (parent != null && Files.exists(directory)) {
            Trees.delete(parent, directory.getFileName().toString());
        }
    }

    /** Deletes what killed processes left half made or half removed. */
    void tidy() {
        Path sessions = tools.layout().sessions();
        for (Path entry : SessionDirectories.in(sessions)) {
            if (SessionFiles.Leftovers.isAbandoned(entry)) {
                delete(entry);
            }
        }
    }

    /** Refuses to take away what is in use. */
    static void requireIdle(SessionRecord record, int running) {
        if (running > 0) {
            throw new ConflictException(
                    running + " command(s) still run in " + record.id(),
                    "Wait until they have ended, or: carrel session rm --force " + record.id());
        }
    }
}
