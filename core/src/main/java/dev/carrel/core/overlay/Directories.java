package dev.carrel.core.overlay;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/** Directories of our own below an open one. */
public final class Directories {

    private Directories() {}

    /** Opens a directory, making it and those above it where they are missing. */
    public static Dir make(Dir root, TreePath path) {
        Dir current = root.walk(TreePath.ROOT).orElseThrow();
        for (byte[] name : path.components()) {
            try (Dir parent = current) {
                Optional<Dir> existing = parent.openDirIfExists(name);
                if (existing.isEmpty()) {
                    parent.makeDir(name, 0700);
                }
                current = existing.isPresent() ? existing.get() : parent.openDir(name);
            }
        }
        return current;
    }
}
