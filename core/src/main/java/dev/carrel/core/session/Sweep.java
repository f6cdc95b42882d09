package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.session.SweepReport.Item;
import dev.carrel.core.session.SweepReport.Kind;
import dev.carrel.core.snapshot.UnusedSnapshot;
import dev.carrel.core.store.AtomicFile;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Removes what nobody has used for longer than it is kept. Never what is in use. */
final class Sweep {

    private final HostTools tools;
    private final SessionRecords records;
    private final SnapshotCollection snapshots;

    Sweep(HostTools tools) {
        this.tools = tools;
        this.records = new SessionRecords(tools.layout());
        this.snapshots = new SnapshotCollection(tools);
    }

    private Retention retention() {
        return tools.settings().retention();
    }

    /** When a session goes if nothing is done in it. */
    static Instant expiry(Instant lastUsed, Retention retention) {
        return lastUsed.plus(retention.sessions());
    }

    /** What would go now, without touching anything. */
    SweepReport preview() {
        List<SessionRecord> idle = idle();
        List<Item> items = new ArrayList<>(idle.stream().map(this::item).toList());
        items.addAll(snapshotItems(ids(idle)));
        items.addAll(idleHomes());
        return new SweepReport(items);
    }

    private List<Item> idleHomes() {
        return new AgentHomes(tools.layout())
                .idleSince(Instant.now().minus(retention().sessions()));
    }

    /**
     * Removes it. One thing that cannot be removed does not keep the others: it is told.
     *
     * @throws ConflictException if another sweep is running
     */
    SweepReport run() throws InterruptedException {
        if (!Files.isDirectory(tools.layout().base())) {
            return new SweepReport(List.of());
        }
        try (Locks.Held _ =
                Locks.tryAcquire(tools.layout().sweepLock(), "sweep")
                        .orElseThrow(() -> new ConflictException("another sweep is running"))) {
            claim();
            List<SessionRecord> idle = idle();
            // The removal of the last session that used a snapshot may take it along.
            List<Item> candidates = snapshotItems(ids(idle));
            List<Item> removed = new ArrayList<>();
            for (SessionRecord record : idle) {
                removeSession(record).ifPresent(removed::add);
            }
            snapshots.clearLeftovers();
            for (UnusedSnapshot snapshot : overdue(Set.of())) {
                removeSnapshot(snapshot);
            }
            candidates.stream()
                    .filter(item -> !Files.exists(tools.layout().snapshots().resolve(item.name())))
                    .forEach(removed::add);
            for (Item home : idleHomes()) {
                new AgentHomes(tools.layout()).remove(home);
                removed.add(home);
            }
            return new SweepReport(removed);
        }
    }

    private static Set<String> ids(List<SessionRecord> sessions) {
        return sessions.stream().map(record -> record.id().value()).collect(Collectors.toSet());
    }

    private List<Item> snapshotItems(Set<String> going) {
        return overdue(going).stream().map(this::item).toList();
    }

    /** Whether it is time for the next; a claim keeps others from being asked at once. */
    boolean claimIfDue() {
        Path last = tools.layout().lastSweep();
        if (retention().interval().isZero() || !Files.isDirectory(tools.layout().base())) {
            return false;
        }
        boolean first = !Files.exists(last);
        boolean due =
                first
                        || Summaries.modified(last)
                                .plus(retention().interval())
                                .isBefore(Instant.now());
        if (due) {
            claim();
        }
        // In a folder that was made a moment ago nothing can be overdue.
        return due && !first;
    }

    private void claim() {
        AtomicFile.write(tools.layout().lastSweep(), new byte[0]);
    }

    private List<SessionRecord> idle() {
        return records.all().stream().filter(this::isIdle).toList();
    }

    private boolean isIdle(SessionRecord record) {
        return record.isReady()
                && expiry(lastUsed(record), retention()).isBefore(Instant.now())
                && SessionRuntime.runningCommands(SessionFiles.runtime(layout(record))) == 0;
    }

    private Instant lastUsed(SessionRecord record) {
        return Summaries.modified(layout(record).lastUsed());
    }

    private SessionLayout layout(SessionRecord record) {
        return tools.layout().session(record.id().value());
    }

    private Item item(SessionRecord record) {
        return new Item(
                Kind.SESSION,
                record.id().value(),
                lastUsed(record),
                Trees.diskUsage(layout(record).directory()));
    }

    private Item item(UnusedSnapshot snapshot) {
        return new Item(
                Kind.SNAPSHOT,
                tools.layout().snapshots().relativize(snapshot.directory()).toString(),
                snapshot.lastAsked(),
                Trees.diskUsage(snapshot.directory()));
    }

    private Optional<Item> removeSession(SessionRecord record) throws InterruptedException {
        try {
            Item item = item(record);
            // A command may have been started since the list was made.
            if (!isIdle(record)) {
                return Optional.empty();
            }
            new SessionRemoval(tools).run(record, Sessions.Running.REFUSE);
            return Optional.of(item);
        } catch (NotFoundException | ConflictException e) {
            return Optional.empty(); // it is gone, or in use by now
        } catch (CarrelException e) {
            tell(e);
            return Optional.empty();
        }
    }

    private void removeSnapshot(UnusedSnapshot snapshot) throws InterruptedException {
        try {
            for (Step step : snapshots.removal(snapshot)) {
                step.run();
            }
        } catch (CarrelException e) {
            tell(e);
        }
    }

    private void tell(CarrelException e) {
        tools.tell(new SessionEvent.Notice("something could not be swept: " + e.message()));
    }

    /**
     * Snapshots whose time is up, and as many of the others, the oldest first, as are needed for
     * space.
     *
     * @param going sessions that count as gone
     */
    private List<UnusedSnapshot> overdue(Set<String> going) {
        Instant limit = Instant.now().minus(retention().snapshots());
        long missing = retention().minFreeBytes() - freeBytes();
        List<UnusedSnapshot> overdue = new ArrayList<>();
        for (UnusedSnapshot snapshot : snapshots.unused(going)) {
            boolean old = snapshot.lastAsked().isBefore(limit);
            if (old || (missing > 0 && snapshot.mayGoForSpace())) {
                overdue.add(snapshot);
                missing -= missing > 0 ? Trees.diskUsage(snapshot.directory()) : 0;
            }
        }
        return overdue;
    }

    private long freeBytes() {
        Path directory = tools.layout().snapshots();
        try {
            return Files.exists(directory)
                    ? Files.getFileStore(directory).getUsableSpace()
                    : Long.MAX_VALUE;
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot tell the free space of " + directory + ": " + e.getMessage(), null, e);
        }
    }
}
