package dev.carrel.core.host;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A private directory for one trial, gone when closed. */
record ScratchDirectory(Path path) implements AutoCloseable {

    /** In the system's temporary directory. */
    static ScratchDirectory create() throws IOException {
        return new ScratchDirectory(Files.createTempDirectory("carrel-probe-").toRealPath());
    }

    /** Below a directory whose file system is to be tried. */
    static ScratchDirectory below(Path parent) throws IOException {
        return new ScratchDirectory(
                Files.createTempDirectory(parent, ".carrel-probe-").toRealPath());
    }

    void giveTo(Owner owner) {
        Trees.chownTree(path, owner.uid(), owner.gid());
    }

    /** Removes it with what a trial or the kernel left in it. */
    @Override
    public void close() {
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null) {
            throw new HostOperationException("'" + path + "' cannot be removed");
        }
        Trees.delete(parent, name.toString());
    }
}
