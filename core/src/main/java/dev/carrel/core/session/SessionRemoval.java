package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.session.SessionRecord.Phase;
import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/** Takes a session away. The steps may be repeated from the start after a kill anywhere. */
final class SessionRemoval {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);

    private final HostTools tools;

    SessionRemoval(HostTools tools) {
        this.tools = tools;
    }

    /**
     * The steps of a removal. They do nothing to another session that has the id by now.
     *
     * @param record may be of a session that was never finished
     */
    List<Step> steps(SessionRecord record, Running running) {
        SessionLayout layout = tools.layout().session(record.id().value());
        Path aside =
                layout.directory().resolveSibling(SessionFiles.Leftovers.name("gone", record.id()));
        return List.of(
                new Step("mark the session", () -> mark(record, layout, running)),
                new Step("take it out of the list", () -> takeOut(record, layout, aside)),
                new Step("free its name", () -> new NameLinks(tools.layout()).release(record)),
                new Step(
                        "delete its files",
                        () -> {
                            delete(aside);
                            tools.limits().sweep();
                        }),
                new Step("collect snapshots", () -> new SnapshotCollection(tools).run()));
    }

    /** Carries them out. */
    void run(SessionRecord record, Running running) throws InterruptedException {
        for (Step step : steps(record, running)) {
            step.run();
        }
        tools.tell(new SessionEvent.Removed(record.id()));
    }

    /** A command that registers after the look finds the mark, and does not start. */
    private void mark(SessionRecord record, SessionLayout layout, Running running)
            throws InterruptedException {
        if (!isSame(record, layout)) {
            return;
        }
        try (Locks.Held _ = Locks.acquire(layout.lock(), "remove", LOCK_WITHIN)) {
            SessionRecord now = SessionFormat.read(layout.record());
            refuseIfUsed(now, layout, running);
            write(now.in(new Phase.Removing(ProcessIdentity.current())), layout);
            try {
                refuseIfUsed(now, layout, running);
            } catch (ConflictException used) {
                write(now, layout);
                throw used;
            }
        } catch (NotFoundException e) {
            requireGone(layout, e);
        }
    }

    /** Refuses to take away what is in use, unless that is to be ended. */
    private static void refuseIfUsed(SessionRecord record, SessionLayout layout, Running policy) {
        int running = SessionRuntime.runningCommands(SessionFiles.runtime(layout));
        if (policy == Running.REFUSE && running > 0) {
            throw new ConflictException(
                    SessionRuntime.stillRun(running) + " in " + record.id(),
                    "Wait until they have ended, or end them: carrel session rm " + record.id());
        }
    }

    private static void write(SessionRecord record, SessionLayout layout) {
        try {
            Json.write(layout.record(), SessionFormat.write(record));
        } catch (HostOperationException e) {
            // A removal is what frees a full disk. Without the mark, a kill from now on leaves a
            // session that has to be removed once more.
        }
    }

    /**
     * Under both locks: an apply must not lose its journal half-way, and no command may start
     * between the end of the last one and the move.
     */
    private void takeOut(SessionRecord record, SessionLayout layout, Path aside)
            throws InterruptedException {
        if (!isSame(record, layout)) {
            return;
        }
        try (Locks.Held _ = Locks.acquire(layout.applyLock(), "remove", LOCK_WITHIN)) {
            if (Files.exists(SessionFiles.runtime(layout).hold())) {
                SessionRecord now = SessionFormat.read(layout.record());
                SessionCommands.runtime(tools, layout, now)
                        .endAll(
                                works(now, layout),
                                "remove",
                                () -> moveAside(layout.directory(), aside));
            } else {
                moveAside(layout.directory(), aside);
            }
        } catch (NotFoundException e) {
            requireGone(layout, e);
        }
    }

    /** Another process, or an earlier attempt, may have removed it. */
    private static void requireGone(SessionLayout layout, CarrelException otherwise) {
        if (layout.exists()) {
            throw otherwise;
        }
    }

    private static boolean isSame(SessionRecord record, SessionLayout layout) {
        try {
            return layout.exists()
                    && SessionFormat.read(layout.record()).token().equals(record.token());
        } catch (CarrelException e) {
            requireGone(layout, e);
            return false;
        }
    }

    static List<Path> works(SessionRecord record, SessionLayout layout) {
        return record.repos().stream().map(repo -> repo.work(layout)).toList();
    }

    /** False where another process was first. */
    private static boolean moveAside(Path directory, Path aside) {
        try {
            Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot remove " + directory + ": " + e.getMessage(), null, e);
        }
    }

    /** Where there is no record to mark. The caller has the session's locks. */
    static void takeAway(Path directory) {
        Path aside = SessionFiles.Leftovers.renamed(directory);
        if (moveAside(directory, aside)) {
            delete(aside);
        }
    }

    private static void delete(Path directory) {
        Path parent = directory.getParent();
        if (parent != null && Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Trees.delete(parent, directory.getFileName().toString());
        }
    }

    /** Deletes what killed processes left half made or half removed. */
    void tidy() {
        Path sessions = tools.layout().sessions();
        for (Path entry : SessionDirectories.in(sessions)) {
            if (SessionFiles.Leftovers.isAbandoned(entry)) {
                // By a name of our own first: two processes must not delete one tree.
                Path own = SessionFiles.Leftovers.renamed(entry);
                if (moveAside(entry, own)) {
                    delete(own);
                }
            }
        }
    }
}
