package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.HostGit;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Removes shared snapshots. */
record Collection(ProcessRunner runner, Path snapshots, Set<Path> inUse, Duration unused) {

    Collection {
        inUse = Set.copyOf(inUse);
    }

    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (Path key : directories(snapshots)) {
            for (Path snapshot : directories(key)) {
                String name = snapshot.getFileName().toString();
                SharedPlace place = new SharedPlace(snapshots, key.getFileName().toString(), name);
                if (name.startsWith(SharedPlace.BUILDING)) {
                    steps.add(new Step("clear " + name, () -> clear(place, snapshot)));
                } else if (name.startsWith(SharedPlace.REMOVING)) {
                    steps.add(new Step("clear " + name, () -> finish(place, snapshot)));
                } else if (mayGo(place)) {
                    steps.add(new Step("remove " + name, () -> remove(place)));
                }
            }
        }
        return steps;
    }

    private boolean mayGo(SharedPlace place) {
        Path record = place.directory().resolve(SnapshotRecord.NAME);
        if (inUse.contains(place.directory())) {
            return false;
        }
        try {
            return !Files.exists(record)
                    || Files.getLastModifiedTime(record)
                            .toInstant()
                            .isBefore(Instant.now().minus(unused));
        } catch (IOException e) {
            return false; // somebody removes it already
        }
    }

    /** Half-built: whoever holds the lock may still build it. */
    private static void clear(SharedPlace place, Path leftover) throws InterruptedException {
        try (Locks.Held _ = place.lock()) {
            delete(leftover);
        }
    }

    private void remove(SharedPlace place) throws InterruptedException {
        try (Locks.Held _ = place.lock()) {
            // A session may have asked for it since the plan was made.
            if (!Files.exists(place.directory()) || !mayGo(place)) {
                return;
            }
            delete(place.removing());
            Files.move(place.directory(), place.removing(), StandardCopyOption.ATOMIC_MOVE);
            finishLocked(place.removing());
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot remove " + place.directory() + ": " + e, null, e);
        }
    }

    private void finish(SharedPlace place, Path leftover) throws InterruptedException {
        try (Locks.Held _ = place.lock()) {
            finishLocked(leftover);
        }
    }

    /** The record goes last: a kill before leaves what is needed to go on. */
    private void finishLocked(Path leftover) throws InterruptedException {
        for (String part : List.of("tree", "objects")) {
            Trees.delete(leftover, part);
        }
        Optional<SnapshotRecord> record = SnapshotRecord.load(leftover);
        if (record.isPresent()) {
            forget(record.get());
        }
        delete(leftover);
    }

    /** Other settings or another user may have a snapshot of the same commit. */
    private void forget(SnapshotRecord record) throws InterruptedException {
        if (record.hiddenRef().isEmpty() || !Files.isDirectory(record.gitDir())) {
            return;
        }
        for (Path key : directories(snapshots)) {
            Path other = key.resolve(record.commit());
            boolean needsIt =
                    SnapshotRecord.load(other)
                            .filter(o -> o.gitDir().equals(record.gitDir()))
                            .isPresent();
            if (needsIt) {
                return;
            }
        }
        // Fails where the reference cannot be removed; the leftover stays for the next try.
        HostGit.of(runner, record.user())
                .at(record.gitDir())
                .run("update-ref", "-d", record.hiddenRef().get());
    }

    private static void delete(Path path) {
        Place.of(path).delete();
    }

    private static List<Path> directories(Path parent) {
        List<Path> found = new ArrayList<>();
        if (!Files.isDirectory(parent)) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(entry);
                }
            }
        } catch (IOException e) {
            throw new HostOperationException("cannot list " + parent + ": " + e, null, e);
        }
        return found;
    }
}
