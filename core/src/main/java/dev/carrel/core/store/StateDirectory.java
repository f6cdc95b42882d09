package dev.carrel.core.store;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Creates directories of exactly one mode and owner, whatever the umask. */
final class StateDirectory {

    /** For its owner only. */
    static final int PRIVATE = 0700;

    /** Others may go through to what they know by name, but not look. */
    static final int PASSAGE = 0711;

    private StateDirectory() {}

    /** A missing directory of this mode for the caller; an existing one is left as it is. */
    static void create(Path directory, int mode) {
        create(directory, mode, Ownership.ofCaller());
    }

    /** The same, given to {@code owner}; only root can give to another. */
    static void create(Path directory, int mode, Ownership owner) {
        try {
            // First for the caller alone: nobody looks in before it is what it shall be.
            Files.createDirectory(
                    directory,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            if (mode != PRIVATE) {
                Files.setAttribute(directory, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
            }
            if (!owner.equals(Ownership.ofCaller())) {
                Files.setAttribute(directory, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
                Files.setAttribute(directory, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
            }
        } catch (FileAlreadyExistsException exists) {
            requireDirectory(directory);
        } catch (IOException failed) {
            throw StoreFailure.of("create the directory", directory, failed);
        }
    }

    private static void requireDirectory(Path directory) {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new HostOperationException(
                    "cannot create the directory " + directory + ": something else has its name",
                    "move it out of the way: mv " + directory + " " + directory + ".old");
        }
    }
}
