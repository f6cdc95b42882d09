package dev.carrel.core.session;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.policy.Nearest;
import dev.carrel.core.store.StateLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The records of all sessions of one folder, and which one is meant. */
record SessionRecords(StateLayout layout) {

    /** The directories that are sessions, readable or not. */
    List<Path> directories() {
        return SessionDirectories.in(layout.sessions()).stream()
                .filter(directory -> !directory.getFileName().toString().startsWith("."))
                .filter(directory -> Files.exists(file(directory), LinkOption.NOFOLLOW_LINKS))
                .toList();
    }

    /** Every record that can be read; the others are listed as broken and never touched. */
    List<SessionRecord> all() {
        List<SessionRecord> records = new ArrayList<>();
        for (Path directory : directories()) {
            readable(file(directory)).ifPresent(records::add);
        }
        return records;
    }

    /** The one of exactly this id, if there is one that can be read. Looks at no other. */
    Optional<SessionRecord> withId(String id) {
        return SessionId.isOne(id)
                ? readable(layout.session(id).record())
                        .filter(record -> record.id().value().equals(id))
                : Optional.empty();
    }

    /** The one whose id begins so, if there is only one. Looks at those alone. */
    Optional<SessionRecord> onlyOneOf(String beginning) {
        List<Path> fitting =
                beginning.isEmpty()
                        ? List.of()
                        : SessionDirectories.in(layout.sessions()).stream()
                                .filter(path -> path.getFileName().toString().startsWith(beginning))
                                .toList();
        return fitting.size() == 1
                ? withId(fitting.getFirst().getFileName().toString())
                : Optional.empty();
    }

    private static Path file(Path directory) {
        return directory.resolve("session.json");
    }

    private static Optional<SessionRecord> readable(Path file) {
        try {
            return Optional.of(SessionFormat.read(file));
        } catch (CarrelException e) {
            return Optional.empty();
        }
    }

    /**
     * @throws NotFoundException if there is none, with the nearest
     * @throws BrokenStoreException if it is the whole id of one whose record cannot be read
     * @throws InvalidInputException if several fit
     */
    SessionRecord find(String reference) {
        List<SessionRecord> records = all();
        List<SessionRecord> found =
                records.stream().filter(record -> isCalled(record, reference)).toList();
        if (found.isEmpty()) {
            found =
                    records.stream()
                            .filter(record ->
                                    !reference.isEmpty()
                                            && record.id().value().startsWith(reference))
                            .toList();
        }
        if (found.isEmpty()) {
            unreadable(reference).ifPresent(SessionRecords::fail);
            throw missing(reference, records);
        } else if (found.size() > 1) {
            throw new InvalidInputException(
                    "'"
                            + reference
                            + "' fits several sessions: "
                            + found.stream().map(SessionRecord::id).toList(),
                    "Use more letters.");
        }
        return found.getFirst();
    }

    private static boolean isCalled(SessionRecord record, String reference) {
        return record.id().value().equals(reference)
                || record.name().equals(Optional.of(reference));
    }

    /** The session of exactly this id, if its record cannot be read. */
    Optional<Path> unreadable(String id) {
        return SessionId.isOne(id)
                ? Optional.of(layout.session(id).directory())
                        .filter(directory ->
                                Files.exists(file(directory), LinkOption.NOFOLLOW_LINKS))
                        .filter(directory -> readable(file(directory)).isEmpty())
                : Optional.empty();
    }

    private static void fail(Path directory) {
        try {
            SessionFormat.read(file(directory));
        } catch (CarrelException e) {
            throw new BrokenStoreException(
                    "the record of session "
                            + directory.getFileName()
                            + " cannot be read: "
                            + e.message(),
                    "What it changed is in "
                            + directory.resolve("repos")
                            + ". Remove it: carrel session rm "
                            + directory.getFileName(),
                    e);
        }
    }

    private static NotFoundException missing(String reference, List<SessionRecord> records) {
        List<String> names = new ArrayList<>();
        for (SessionRecord record : records) {
            names.add(record.id().value());
            record.name().ifPresent(names::add);
        }
        return new NotFoundException(
                "there is no session '" + reference + "'",
                Nearest.within(reference, names)
                                .map(near -> "Did you mean " + near + "? ")
                                .orElse("")
                        + "List them: carrel session list");
    }
}
