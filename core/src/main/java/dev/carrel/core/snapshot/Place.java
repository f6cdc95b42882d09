package dev.carrel.core.snapshot;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.Trees;
import java.nio.file.Files;
import java.nio.file.Path;

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
