package dev.carrel.core.session;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.StateLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;

/**
 * Finds sessions by name without looking into all of them: for each name a link whose text is the
 * id. A link is a hint: it counts only where that session's record has the name. It is written
 * before the record and under one lock with it, so that a name without a link is free and of two
 * processes one gets it; what a kill leaves is a link that leads nowhere, which the next one
 * replaces.
 */
record NameLinks(StateLayout layout) {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);

    /** The session of this name. */
    Optional<SessionRecord> find(String name) {
        return linked(name)
                .flatMap(new SessionRecords(layout)::withId)
                .filter(record -> record.name().equals(Optional.of(name)));
    }

    /**
     * Fails where a session is called so.
     *
     * @throws ConflictException naming it
     */
    void requireFree(String name) {
        SessionRecords records = new SessionRecords(layout);
        Optional<SessionId> taken =
                find(name)
                        .filter(record -> !record.isInterrupted())
                        .or(() -> records.withId(name))
                        .map(SessionRecord::id);
        if (taken.isPresent()) {
            throw new ConflictException(
                    "a session is called '" + name + "' already: " + taken.get(),
                    "Choose another name, or: carrel session rm " + taken.get());
        }
    }

    /** Lets the record of a session appear by {@code write}, together with its name. */
    void claim(SessionRecord record, Runnable write) throws InterruptedException {
        if (record.name().isEmpty()) {
            write.run();
            return;
        }
        String name = record.name().get();
        layout.createNames();
        try (Locks.Held _ = Locks.acquire(layout.lock(), "name a session", LOCK_WITHIN)) {
            requireFree(name);
            link(name, record.id());
            write.run();
        }
    }

    /** Removes the link to a session that is gone. */
    void release(SessionRecord record) throws InterruptedException {
        if (record.name().isEmpty()
                || !linked(record.name().get()).equals(Optional.of(record.id().value()))) {
            return;
        }
        try (Locks.Held _ = Locks.acquire(layout.lock(), "free a name", LOCK_WITHIN)) {
            // Under the lock once more: the name may be another's by now, or the id be made anew.
            String name = record.name().get();
            boolean isOurs = linked(name).equals(Optional.of(record.id().value()));
            if (isOurs && find(name).isEmpty()) {
                Files.deleteIfExists(layout.names().resolve(name));
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void link(String name, SessionId id) {
        Path link = layout.names().resolve(name);
        Path beside = layout.names().resolve(".next");
        try {
            Files.deleteIfExists(beside);
            Files.createSymbolicLink(beside, Path.of(id.value()));
            Files.move(beside, link, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private HostOperationException failed(IOException cause) {
        return new HostOperationException(
                "cannot write in " + layout.names() + ": " + cause.getMessage(),
                "Check free space and permissions of the state directory.",
                cause);
    }

    /** The text of a link, whatever it leads to; empty where there is none of this name. */
    private Optional<String> linked(String name) {
        if (!Sessions.isName(name)) {
            return Optional.empty();
        }
        Path link = layout.names().resolve(name);
        try {
            return Files.exists(link, LinkOption.NOFOLLOW_LINKS)
                    ? Optional.of(Files.readSymbolicLink(link).toString())
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty(); // removed meanwhile, or nothing that was written here
        }
    }
}
