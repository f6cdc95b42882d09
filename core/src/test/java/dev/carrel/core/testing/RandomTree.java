package dev.carrel.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Random changes to a real tree, the same for the same seed; names are few, so that they meet. */
public final class RandomTree {

    private static final List<byte[]> NAMES =
            List.of(
                    bytes("a"),
                    bytes("b"),
                    bytes("c.txt"),
                    bytes("dir"),
                    bytes("-rf"),
                    bytes("two\nlines"),
                    bytes("tab\t\"quote\" \\"),
                    bytes("grün"),
                    new byte[] {(byte) 0xff, 'x', (byte) 0x80},
                    bytes(":(glob)*"));
    private static final int[] FILE_MODES = {0644, 0644, 0755, 0600, 0664};
    private static final int[] DIRECTORY_MODES = {0755, 0755, 0700, 0775};

    private final Random random;
    private final Path root;

    /** Changes to this tree. */
    public RandomTree(Path root, long seed) {
        this.root = root;
        this.random = new Random(seed);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** Makes so many changes. */
    public void change(int times) {
        for (int i = 0; i < times; i++) {
            try (Dir top = Dir.open(root);
                    Dir dir = top.walk(someDirectory()).orElseThrow()) {
                changeOnce(dir, NAMES.get(random.nextInt(NAMES.size())));
            }
        }
    }

    private TreePath someDirectory() {
        List<TreePath> directories =
                Stream.concat(
                                Stream.of(TreePath.ROOT),
                                TreeImage.of(root).entrySet().stream()
                                        .filter(e -> e.getValue().startsWith("directory"))
                                        .map(Map.Entry::getKey))
                        .filter(path -> path.depth() < 5)
                        .toList();
        return directories.get(random.nextInt(directories.size()));
    }

    private void changeOnce(Dir dir, byte[] name) {
        Optional<FileStatus> now = dir.stat(name);
        switch (random.nextInt(7)) {
            case 0, 1 -> {
                Trees.delete(dir, name);
                write(dir, name, FILE_MODES[random.nextInt(FILE_MODES.length)]);
            }
            case 2 -> Trees.delete(dir, name);
            case 3, 4 -> {
                if (now.isEmpty() || random.nextInt(3) == 0) {
                    Trees.delete(dir, name);
                    dir.makeDir(name, DIRECTORY_MODES[random.nextInt(DIRECTORY_MODES.length)]);
                }
            }
            case 5 -> {
                Trees.delete(dir, name);
                dir.symlink(NAMES.get(random.nextInt(NAMES.size())), name);
            }
            default -> {
                if (now.isPresent() && now.get().type() == FileType.REGULAR) {
                    dir.chmod(name, FILE_MODES[random.nextInt(FILE_MODES.length)]);
                } else if (now.isPresent() && now.get().type() == FileType.DIRECTORY) {
                    dir.chmod(name, DIRECTORY_MODES[random.nextInt(DIRECTORY_MODES.length)]);
                }
            }
        }
    }

    private void write(Dir dir, byte[] name, int mode) {
        try (OutputStream out = dir.create(name, mode)) {
            int lines = random.nextInt(4);
            for (int i = 0; i < lines; i++) {
                out.write(bytes("line " + random.nextInt(5) + "\n"));
            }
            if (random.nextInt(5) == 0) {
                byte[] binary = new byte[100];
                random.nextBytes(binary);
                out.write(binary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
