package dev.carrel.core.apply;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.Trees;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Directories in the session's directory: for their owner alone, since host files go there. */
final class OwnDirectory {

    private static final int PRIVATE = 0700;

    private OwnDirectory() {}

    /** Opens it; makes it where it is missing. */
    static Dir open(Path directory) {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (Dir parent = Dir.open(directory.resolveSibling("."))) {
                parent.makeDir(name(directory), PRIVATE);
            }
        }
        return Dir.open(directory);
    }

    /** Removes it and all in it; nothing happens where it is missing. */
    static void delete(Path directory) {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (Dir parent = Dir.open(directory.resolveSibling("."))) {
                Trees.delete(parent, name(directory));
            }
        }
    }

    private static byte[] name(Path directory) {
        return Names.bytes(String.valueOf(directory.getFileName()));
    }
}
