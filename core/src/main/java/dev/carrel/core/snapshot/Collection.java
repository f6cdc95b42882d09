package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.HostGit;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Removes shared snapshots. */
record Collection(ProcessRunner runner, Path snapshots, Set<Path> inUse, Duration unused) {

    Collection {
        inUse = Set.copyOf(inUse);
    }

    List<Step> steps() {
        List<Step> steps = new ArrayList<>(leftovers());
        for (SharedPlace place : places()) {
            if (mayGo(place)) {
                steps.add(removal(place));
            }
        }
        return steps;
    }

    List<Step> leftovers() {
        List<Step> steps = new ArrayList<>();
        for (Path key : Place.in(snapshots)) {
            for (Path snapshot : Place.in(key)) {
                String name = snapshot.getFileName().toString();
                SharedPlace place = new SharedPlace(snapshots, key.getFileName().toString(), name);
                if (name.startsWith(SharedPlace.BUILDING)) {
                    steps.add(new Step("clear " + name, () -> clear(place, snapshot)));
                } else if (name.startsWith(SharedPlace.REMOVING)) {
                    steps.add(new Step("clear " + name, () -> finish(place, snapshot)));
                }
            }
        }
        return steps;
    }

    List<UnusedSnapshot> unusedOnes() {
        List<UnusedSnapshot> unused = new ArrayList<>();
        for (SharedPlace place : places()) {
            Path record = place.directory().resolve(SnapshotRecord.NAME);
            if (!inUse.contains(place.directory())) {
                lastAsked(record)
                        .ifPresent(when -> unused.add(new UnusedSnapshot(place.directory(), when)));
            }
        }
        unused.sort(Comparator.comparing(UnusedSnapshot::lastAsked));
        return unused;
    }

    List<Step> removal(UnusedSnapshot snapshot) {
        return places().stream()
                .filter(place -> place.directory().equals(snapshot.directory()))
                .map(this::removal)
                .toList();
    }

    private Step removal(SharedPlace place) {
        return new Step("remove " + place.directory().getFileName(), () -> remove(place));
    }

    /** Those that are whole, or were once. */
    private List<SharedPlace> places() {
        List<SharedPlace> places = new ArrayList<>();
        for (Path key : Place.in(snapshots)) {
            for (Path snapshot : Place.in(key)) {
                String name = snapshot.getFileName().toString();
                if (!name.startsWith(SharedPlace.BUILDING)
                        && !name.startsWith(SharedPlace.REMOVING)) {
                    places.add(new SharedPlace(snapshots, key.getFileName().toString(), name));
                }
            }
        }
        return places;
    }

    /** Without a record it is of no use to anybody. Empty if somebody removes it already. */
    private static Optional<Instant> lastAsked(Path record) {
        try {
            return Optional.of(
                    Files.exists(record)
                            ? Files.getLastModifiedTime(record).toInstant()
                            : Instant.EPOCH);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private boolean mayGo(SharedPlace place) {
        Instant limit = Instant.now().minus(unused);
        return !inUse.contains(place.directory())
                && lastAsked(place.directory().resolve(SnapshotRecord.NAME))
                        .filter(when -> !when.isAfter(limit))
                        .isPresent();
    }

    /** Whoever holds the lock may still build it. */
    private static void clear(SharedPlace place, Path leftover) throws InterruptedException {
        Optional<Locks.Held> lock = place.tryLock();
        if (lock.isPresent()) {
            try (Locks.Held _ = lock.get()) {
                Place.of(leftover).deleteIfPossible();
            }
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

    /** Whoever holds the lock may still remove it. */
    private void finish(SharedPlace place, Path leftover) throws InterruptedException {
        Optional<Locks.Held> lock = place.tryLock();
        if (lock.isPresent()) {
            try (Locks.Held _ = lock.get()) {
                finishLocked(leftover);
            }
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
        for (Path key : Place.in(snapshots)) {
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
}
