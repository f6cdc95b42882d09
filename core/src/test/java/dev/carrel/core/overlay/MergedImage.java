package dev.carrel.core.overlay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.SortedMap;
import java.util.TreeMap;

/** A merged tree as text, in the words of {@link dev.carrel.core.testing.TreeImage}. */
final class MergedImage {

    private MergedImage() {}

    static SortedMap<TreePath, String> of(MergedTree tree) {
        SortedMap<TreePath, String> image = new TreeMap<>();
        add(tree, TreePath.ROOT, image);
        return image;
    }

    private static void add(MergedTree tree, TreePath dir, SortedMap<TreePath, String> image) {
        for (byte[] name : tree.names(dir)) {
            TreePath path = dir.child(name);
            image.put(path, describe(tree, path));
            add(tree, path, image);
        }
    }

    private static String describe(MergedTree tree, TreePath path) {
        return switch (tree.entry(path).orElseThrow()) {
            case Entry.RegularFile file ->
                    "file " + Integer.toOctalString(file.mode()) + " " + content(tree, path);
            case Entry.Directory(int mode) -> "directory " + Integer.toOctalString(mode);
            case Entry.Link(byte[] target) -> "link " + new String(target, ISO_8859_1);
            case Entry.Special(var type) -> type.toString();
        };
    }

    private static String content(MergedTree tree, TreePath path) {
        try (InputStream in = tree.read(path)) {
            return new String(in.readAllBytes(), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
