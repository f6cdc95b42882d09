package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What this package needs to know about files of the host, so that rules about them can be tested
 * on an invented tree. Safe for many threads. A file that cannot be looked at counts as missing.
 */
public interface HostFiles {

    /** What lies at this absolute path itself; a link is not followed. */
    Optional<Entry> look(Path path);

    /** The names in a directory, sorted; empty if it cannot be listed. */
    List<String> names(Path directory);

    /** The lines of a small text file; empty if it cannot be read. */
    List<String> lines(Path file);

    /** One file: what it is, whose, and its permission bits (07777). */
    record Entry(Kind kind, int uid, int gid, int mode, String linkText) {

        /**
         * Whether the permission bits let everybody write. A link has no permissions of its own.
         */
        public boolean writableByOthers() {
            return kind != Kind.LINK && (mode & 02) != 0;
        }
    }

    /** Kinds of files as far as they matter here. */
    enum Kind {
        /** A regular file. */
        FILE,
        /** A directory. */
        DIRECTORY,
        /** A symbolic link. */
        LINK,
        /** A socket, FIFO or device. */
        SPECIAL
    }

    /** Follows every link. Empty if something is missing, a link loops, or a file is in the way. */
    default Optional<Path> resolve(Path path) {
        return LinkWalk.of(this, path).map(LinkWalk::target);
    }

    /** What lies at the end of all links. */
    default Optional<Entry> follow(Path path) {
        return resolve(path).flatMap(this::look);
    }

    /** Whether it exists as a directory, links followed. */
    default boolean isDirectory(Path path) {
        return follow(path).filter(entry -> entry.kind() == Kind.DIRECTORY).isPresent();
    }

    /** Whether it exists, links followed. */
    default boolean exists(Path path) {
        return resolve(path).isPresent();
    }
}
