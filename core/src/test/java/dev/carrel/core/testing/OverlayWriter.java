package dev.carrel.core.testing;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;

/**
 * Writes the upper layer that turns one tree into another, as overlayfs could have: with whiteouts,
 * opaque directories, and now and then a copy-up that changes nothing.
 */
public final class OverlayWriter {

    private final Random random;

    /** The same layers for the same seed. */
    public OverlayWriter(long seed) {
        this.random = new Random(seed);
    }

    /** Fills {@code upper}, which is empty. */
    public void write(Path base, Path wanted, Path upper) {
        try (Dir lower = Dir.open(base);
                Dir view = Dir.open(wanted);
                Dir layer = Dir.open(upper)) {
            directory(Optional.of(lower), view, layer);
        }
    }

    private void directory(Optional<Dir> base, Dir wanted, Dir upper) {
        TreeSet<byte[]> names = new TreeSet<>(Arrays::compareUnsigned);
        names.addAll(wanted.names());
        names.addAll(base.map(Dir::names).orElse(List.of()));
        for (byte[] name : names) {
            Optional<FileStatus> before = base.flatMap(dir -> dir.stat(name));
            Optional<FileStatus> after = wanted.stat(name);
            if (after.isEmpty()) {
                upper.makeWhiteout(name);
            } else if (after.get().type() == FileType.DIRECTORY) {
                subdirectory(base, before, wanted, upper, name, after.get());
            } else {
                leaf(base, before, wanted, upper, name, after.get());
            }
        }
    }

    private void subdirectory(
            Optional<Dir> base,
            Optional<FileStatus> before,
            Dir wanted,
            Dir upper,
            byte[] name,
            FileStatus after) {
        boolean replaced =
                before.isPresent()
                        && (before.get().type() != FileType.DIRECTORY || random.nextInt(4) == 0);
        upper.makeDir(name, after.mode() | 0700);
        try (Dir layer = upper.openDir(name);
                Dir view = wanted.openDir(name)) {
            if (replaced) {
                layer.setOpaque();
            }
            if (replaced || before.isEmpty()) {
                directory(Optional.empty(), view, layer);
            } else {
                try (Dir lower = base.orElseThrow().openDir(name)) {
                    directory(Optional.of(lower), view, layer);
                }
            }
        }
        upper.chmod(name, after.mode());
    }

    private void leaf(
            Optional<Dir> base,
            Optional<FileStatus> before,
            Dir wanted,
            Dir upper,
            byte[] name,
            FileStatus after) {
        boolean regular = after.type() == FileType.REGULAR;
        boolean same =
                before.isPresent()
                        && before.get().type() == after.type()
                        && before.get().mode() == after.mode()
                        && (regular
                                ? before.get().size() == after.size()
                                        && dev.carrel.core.overlay.Contents.same(
                                                base.orElseThrow(), name, wanted, name)
                                : Arrays.equals(
                                        base.orElseThrow().readLink(name), wanted.readLink(name)));
        if (same && random.nextInt(4) != 0) {
            return;
        }
        if (regular) {
            upper.cloneOrCopyFrom(wanted, name, name, after.mode());
        } else {
            upper.symlink(wanted.readLink(name), name);
        }
    }
}
