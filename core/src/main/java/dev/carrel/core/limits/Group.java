package dev.carrel.core.limits;

import dev.carrel.core.posix.ProcessIdentity;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One directory in a tree of groups.
 *
 * @param directory of the kernel's file system for groups
 * @param files how it is used
 */
record Group(Path directory, GroupFiles files) {

    /** What the names of sessions' groups begin with. */
    static final String PREFIX = "carrel-";

    /** The kernel takes dead processes out of a group a moment after they have ended. */
    private static final int REMOVAL_MILLIS = 1000;

    /** Others remove a session's group when their last command in it ends. */
    private static final int ATTEMPTS = 50;

    private static final AtomicLong NUMBER = new AtomicLong();

    /** A name that tells who made it, and is given once. */
    static String commandName() {
        return ProcessIdentity.current().stamp() + "-" + NUMBER.incrementAndGet();
    }

    /** The group of one command in the group of its session, both made as needed. */
    static Group make(GroupFiles files, Path session, String command, Prepared prepared)
            throws Refused {
        Group parent = new Group(session, files);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                parent.makeDirectory();
                prepared.prepare(parent);
                files.makeDirectory(session.resolve(command));
                return new Group(session.resolve(command), files);
            } catch (NoSuchFileException e) {
                // Somebody else's last command has just ended.
            } catch (Refused e) {
                if (Files.isDirectory(session)) {
                    parent.removeIfEmpty();
                    throw e;
                }
            } catch (IOException e) {
                parent.removeIfEmpty();
                throw new Refused("no group can be made in " + session.getParent() + ": " + say(e));
            }
        }
        throw new Refused(session + " is removed again and again");
    }

    /** What a session's group needs before it can have groups of commands. */
    @FunctionalInterface
    interface Prepared {
        void prepare(Group session) throws IOException, Refused;
    }

    private void makeDirectory() throws IOException {
        try {
            files.makeDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            // Other commands of the session run.
        }
    }

    /** Sets a value and looks whether the kernel took it. */
    void set(String file, String value) throws Refused {
        Path path = directory.resolve(file);
        try {
            files.write(path, value);
            String now = files.read(path).strip();
            if (!now.equals(value)) {
                throw new Refused(path + " holds '" + now + "' after '" + value + "' was written");
            }
        } catch (IOException e) {
            throw new Refused("cannot set " + path + " to " + value + ": " + say(e));
        }
    }

    boolean has(String file) {
        return Files.exists(directory.resolve(file));
    }

    /** The whole of a file, or nothing. */
    Optional<String> read(String file) {
        try {
            return Optional.of(files.read(directory.resolve(file)).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A file that holds one number. */
    OptionalLong number(String file) {
        return read(file).map(Group::asNumber).orElse(OptionalLong.empty());
    }

    /** A line {@code KEY NUMBER} of a file. */
    OptionalLong number(String file, String key) {
        return read(file).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(key + " "))
                .map(line -> asNumber(line.substring(key.length() + 1).strip()))
                .findFirst()
                .orElse(OptionalLong.empty());
    }

    private static OptionalLong asNumber(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Removes it, and the session's group if this was the last in it. */
    void remove() {
        long end = System.nanoTime() + REMOVAL_MILLIS * 1_000_000L;
        while (!removeIfEmpty() && System.nanoTime() < end) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        new Group(directory.resolveSibling(".").normalize(), files).removeIfEmpty();
    }

    private boolean removeIfEmpty() {
        try {
            files.removeDirectory(directory);
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return false; // EBUSY: something is in it
        }
    }

    /** Removes the groups below this one whose makers are gone and in which nothing runs. */
    static void sweep(Path parent, GroupFiles files) {
        for (Path session : below(parent)) {
            if (session.getFileName().toString().startsWith(PREFIX)) {
                for (Path command : below(session)) {
                    if (!isUsed(command.getFileName().toString())) {
                        new Group(command, files).removeIfEmpty();
                    }
                }
                new Group(session, files).removeIfEmpty();
            }
        }
    }

    private static boolean isUsed(String name) {
        return ProcessIdentity.stamped(name.substring(0, Math.max(0, name.indexOf('-'))))
                .filter(ProcessIdentity::isAlive)
                .isPresent();
    }

    private static List<Path> below(Path directory) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> groups =
                Files.newDirectoryStream(directory, Files::isDirectory)) {
            groups.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            return found; // it is going, or is not ours to read
        }
        return found;
    }

    private static String say(IOException e) {
        String reason =
                e instanceof java.nio.file.FileSystemException f ? f.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
