package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One of this package's own files or directories, by the directory that holds it. */
record Place(Path parent, String name) {

    static Place of(Path path) {
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null) {
            throw new IllegalArgumentException("not a place: " + path);
        }
        return new Place(parent, name.toString());
    }

    /** Removes it and all below it, if it is there. */
    void delete() {
        if (Files.isDirectory(parent)) {
            Trees.delete(parent, name);
        }
    }

    /**
     * The same for what a killed process left: a program that it started may still write there, and
     * then the next look has to delete the rest.
     */
    void deleteIfPossible() {
        try {
            delete();
        } catch (HostOperationException e) {
            // See above.
        }
    }

    /** The directories in a directory; none where it is missing. */
    static List<Path> in(Path parent) {
        List<Path> found = new ArrayList<>();
        if (!Files.isDirectory(parent)) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(entry);
                }
            }
        } catch (IOException e) {
            throw new HostOperationException("cannot list " + parent + ": " + e, null, e);
        }
        return found;
    }

    /** Gives it and all below it to a user. */
    void give(int uid, int gid) {
        if (Files.isDirectory(parent.resolve(name))) {
            Trees.chownTree(parent.resolve(name), uid, gid);
            return;
        }
        try (Dir dir = Dir.open(parent)) {
            dir.chown(Names.bytes(name), uid, gid);
        }
    }
}
