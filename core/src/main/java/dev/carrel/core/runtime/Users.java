package dev.carrel.core.runtime;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The Carrel processes that use a session, one directory for each command: {@code <pid>.<start
 * time>.<number>}. A directory whose process is gone is left over from a kill.
 */
final class Users {

    private static final AtomicLong NEXT = new AtomicLong();

    private final Path directory;

    Users(Path directory) {
        this.directory = directory;
    }

    /** A fresh directory for one command of this process; the caller deletes it. */
    Path register() {
        ProcessIdentity self = ProcessIdentity.current();
        Path mine =
                directory.resolve(
                        self.pid() + "." + self.startTime() + "." + NEXT.incrementAndGet());
        try {
            return Files.createDirectory(mine);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot create " + mine + ": " + e.getMessage(), null, e);
        }
    }

    void unregister(Path mine) {
        try {
            // What a command leaves; a look at what there is costs more than these.
            Files.deleteIfExists(SandboxedCommand.argsFile(mine));
            Files.deleteIfExists(SandboxedCommand.statusFile(mine));
            Files.deleteIfExists(mine);
        } catch (IOException e) {
            Trees.delete(directory, mine.getFileName().toString());
        }
    }

    /** How many commands have a living process that answers for them. */
    int running() {
        int count = 0;
        for (Path entry : entries()) {
            count += owner(entry).filter(ProcessIdentity::isAlive).isPresent() ? 1 : 0;
        }
        return count;
    }

    /** The process numbers of living users. */
    Set<Long> living() {
        Set<Long> living = new HashSet<>();
        for (Path entry : entries()) {
            owner(entry)
                    .filter(ProcessIdentity::isAlive)
                    .ifPresent(process -> living.add(process.pid()));
        }
        return living;
    }

    /** Removes what killed users left. */
    void tidy() {
        for (Path entry : entries()) {
            if (owner(entry).filter(ProcessIdentity::isAlive).isEmpty()) {
                unregister(entry);
            }
        }
    }

    private Set<Path> entries() {
        Set<Path> entries = new HashSet<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        } catch (IOException e) {
            return Set.of();
        }
        return entries;
    }

    private static Optional<ProcessIdentity> owner(Path entry) {
        String[] parts = entry.getFileName().toString().split("\\.", -1);
        try {
            return parts.length == 3
                    ? Optional.of(
                            new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
