package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A directory for a moment, for nobody but the origin's user. Removed by close. */
public final class Scratch implements AutoCloseable {

    private final Path directory;
    private final OriginUser user;

    private Scratch(Path directory, OriginUser user) {
        this.directory = directory;
        this.user = user;
    }

    /** A new one below the system's directory for temporary files. */
    public static Scratch create(OriginUser user) {
        try {
            return new Scratch(Files.createTempDirectory("carrel-"), user);
        } catch (IOException e) {
            throw new HostOperationException("cannot make a temporary directory: " + e, null, e);
        }
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
        Path parent = Objects.requireNonNull(directory.getParent());
        Trees.delete(parent, Objects.requireNonNull(directory.getFileName()).toString());
    }
}
