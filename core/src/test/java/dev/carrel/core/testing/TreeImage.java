package dev.carrel.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** A whole tree as text, to be compared: types, permission bits, contents, link texts. */
public final class TreeImage {

    private TreeImage() {}

    /** One line for each entry below the root, by path. */
    public static SortedMap<TreePath, String> of(Path root) {
        SortedMap<TreePath, String> image = new TreeMap<>();
        try (Dir dir = Dir.open(root)) {
            add(TreePath.ROOT, dir, image);
        }
        return image;
    }

    private static void add(TreePath path, Dir dir, SortedMap<TreePath, String> image) {
        for (byte[] name : dir.names()) {
            FileStatus status = dir.stat(name).orElseThrow();
            TreePath child = path.child(name);
            image.put(child, describe(dir, name, status));
            dir.openDirIfExists(name)
                    .ifPresent(sub -> {
                        try (sub) {
                            add(child, sub, image);
                        }
                    });
        }
    }

    private static String describe(Dir dir, byte[] name, FileStatus status) {
        String mode = " " + Integer.toOctalString(status.mode() & 0777);
        return switch (status.type()) {
            case REGULAR -> "file" + mode + " " + content(dir, name);
            case DIRECTORY -> "directory" + mode;
            case SYMLINK -> "link " + new String(dir.readLink(name), ISO_8859_1);
            case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE -> status.type().toString();
        };
    }

    private static String content(Dir dir, byte[] name) {
        try (InputStream in = dir.read(name)) {
            return new String(in.readAllBytes(), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
