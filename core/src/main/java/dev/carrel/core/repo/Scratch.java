package dev.carrel.core.repo;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A directory for a moment, for nobody but the origin's user. Removed by close. */
public final class Scratch implements AutoCloseable {

    private static final String PREFIX = "carrel-";

    private final Path directory;
    private final OriginUser user;

    private Scratch(Path directory, OriginUser user) {
        this.directory = directory;
        this.user = user;
    }

    /** A new one below the system's directory for temporary files. */
    public static Scratch create(OriginUser user) {
        try {
            String name = PREFIX + ProcessIdentity.current().stamp() + "-";
            return new Scratch(Files.createTempDirectory(name), user);
        } catch (IOException e) {
            throw new HostOperationException("cannot make a temporary directory: " + e, null, e);
        }
    }

    /** Deletes those of killed processes, as far as the caller may. */
    public static void tidy() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(temporary, Scratch::isAbandoned)) {
            for (Path entry : entries) {
                tidy(entry);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Where it cannot be listed, nothing can be deleted.
        }
    }

    private static void tidy(Path abandoned) {
        try {
            delete(abandoned);
        } catch (CarrelException e) {
            // Somebody else's, or a program that the killed process started still writes there.
        }
    }

    private static boolean isAbandoned(Path entry) {
        String name = Objects.requireNonNull(entry.getFileName()).toString();
        int end = name.lastIndexOf('-');
        return name.startsWith(PREFIX)
                && end > PREFIX.length()
                && ProcessIdentity.stamped(name.substring(PREFIX.length(), end))
                        .filter(maker -> !maker.isAlive())
                        .isPresent();
    }

    /** Where it is. */
    public Path directory() {
        return directory;
    }

    /** Gives what was written so far to the origin's user. */
    public void handOver() {
        if (user.switched()) {
            Trees.chownTree(directory, user.uid(), user.gid());
        }
    }

    @Override
    public void close() {
        delete(directory);
    }

    private static void delete(Path directory) {
        Path parent = Objects.requireNonNull(directory.getParent());
        Trees.delete(parent, Objects.requireNonNull(directory.getFileName()).toString());
    }
}
