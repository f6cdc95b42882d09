package dev.carrel.core.overlay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/** Layers of a view, written by hand as overlayfs would. */
final class Layers {

    final Path lower;
    final Path upper;
    final Path scratch;

    Layers(Path parent) throws IOException {
        lower = Files.createDirectories(parent.resolve("lower"));
        upper = Files.createDirectories(parent.resolve("session/upper"));
        scratch = Files.createDirectories(parent.resolve("scratch"));
    }

    LayerStack stack() {
        return new LayerStack(upper, List.of(lower));
    }

    Layers base(String path, String content) {
        return write(lower, path, content);
    }

    Layers change(String path, String content) {
        return write(upper, path, content);
    }

    Layers whiteout(String path) {
        in(upper, TreePath.of(path), Dir::makeWhiteout);
        return this;
    }

    Layers opaque(String path) {
        mkdirs(upper.resolve(path));
        in(
                upper,
                TreePath.of(path),
                (dir, name) -> {
                    try (Dir opened = dir.openDir(name)) {
                        opened.setOpaque();
                    }
                });
        return this;
    }

    ChangeSet changes() throws InterruptedException {
        return ChangeSets.compute(stack(), IgnoreFilter.nothing());
    }

    /** One line for each change. */
    static List<String> lines(ChangeSet set) {
        return set.changes().stream()
                .map(c -> c.kind() + " " + c.path() + (c.ignored() ? " ignored" : ""))
                .toList();
    }

    static Layers write(Layers layers, Path root, String path, String content) {
        return layers.write(root, path, content);
    }

    private Layers write(Path root, String path, String content) {
        try {
            Path file = root.resolve(path);
            mkdirs(above(file));
            Files.writeString(file, content);
            mode(file, 0644);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a directory and those above it with mode 0755. */
    static void mkdirs(Path directory) {
        try {
            if (Files.isDirectory(directory)) {
                return;
            }
            mkdirs(above(directory));
            Files.createDirectory(directory);
            mode(directory, 0755);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path above(Path path) {
        return Objects.requireNonNull(path.getParent());
    }

    static void mode(Path path, int mode) throws IOException {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int bit = 0; bit < all.length; bit++) {
            if ((mode & (0400 >> bit)) != 0) {
                permissions.add(all[bit]);
            }
        }
        Files.setPosixFilePermissions(path, permissions);
    }

    static void in(Path root, TreePath path, BiConsumer<Dir, byte[]> action) {
        try (Dir top = Dir.open(root);
                Dir dir = top.walk(path.parent().orElseThrow()).orElseThrow()) {
            action.accept(dir, path.name());
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
