package dev.carrel.core.snapshot;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Puts into a layer what an origin has now at given paths: files and links as they are, and a
 * whiteout where the base has something that the origin has not. What vanished meanwhile counts as
 * never there.
 */
final class LayerWriter implements AutoCloseable {

    private static final int PERMISSIONS = 0777;
    private static final int OWNER_ALL = 0700;

    private final Dir layer;
    private final DirCursor from;
    private final DirCursor to;
    private final long checkoutSecond;

    /**
     * @param checkoutSecond the time that all files of the base below have: no file of the layer
     *     may have it, since git would take it for unchanged
     */
    LayerWriter(Dir origin, Dir layer, long checkoutSecond) {
        this.layer = layer;
        this.from = new DirCursor(origin);
        this.to = new DirCursor(layer);
        this.checkoutSecond = checkoutSecond;
    }

    /**
     * Copies a file or a link; a directory is made, empty. False where there is nothing to copy.
     */
    boolean copy(TreePath path) {
        Optional<Dir> source = from.parentOf(path);
        Optional<FileStatus> status = source.flatMap(dir -> dir.stat(path.name()));
        if (status.isEmpty() || !isCopied(status.get().type())) {
            return false;
        }
        Optional<Dir> target = makeParents(path);
        if (target.isEmpty() || target.get().stat(path.name()).isPresent()) {
            return true; // copied already, or hidden by what became of a parent
        }
        // Making the parents has moved the cursor on.
        Dir again = from.parentOf(path).orElseThrow(() -> vanished(path));
        put(again, target.get(), path.name(), status.get());
        return true;
    }

    private static ConflictException vanished(TreePath path) {
        return new ConflictException(
                "the directory of '" + path + "' vanished while it was copied", "try again");
    }

    static boolean isCopied(FileType type) {
        return switch (type) {
            case REGULAR, SYMLINK, DIRECTORY -> true;
            case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE -> false;
        };
    }

    private void put(Dir source, Dir target, byte[] name, FileStatus status) {
        int mode = status.mode() & PERMISSIONS;
        switch (status.type()) {
            case REGULAR -> target.cloneOrCopyFrom(source, name, name, mode);
            case SYMLINK -> target.symlink(source.readLink(name), name);
            case DIRECTORY -> target.makeDir(name, mode | OWNER_ALL);
            case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE -> {
                return;
            }
        }
        target.setModified(name, distinct(status.modified()));
    }

    private Instant distinct(Instant time) {
        return time.getEpochSecond() == checkoutSecond ? time.plusSeconds(1) : time;
    }

    /** The layer's directory for a path, made with the origin's modes. */
    private Optional<Dir> makeParents(TreePath path) {
        TreePath at = TreePath.ROOT;
        List<byte[]> names = path.components();
        Optional<Dir> known = to.parentOf(path);
        for (int i = 0; known.isEmpty() && i < names.size() - 1; i++) {
            Dir parent = to.directory(at).orElse(layer);
            byte[] name = names.get(i);
            Optional<FileStatus> there = parent.stat(name);
            if (there.isEmpty()) {
                parent.makeDir(name, modeInOrigin(at, name) | OWNER_ALL);
            } else if (there.get().type() != FileType.DIRECTORY) {
                return Optional.empty();
            }
            at = at.child(name);
        }
        return to.parentOf(path);
    }

    private int modeInOrigin(TreePath parent, byte[] name) {
        Optional<FileStatus> status =
                from.directory(parent).flatMap(directory -> directory.stat(name));
        return status.map(s -> s.mode() & PERMISSIONS).orElse(0755);
    }

    /**
     * Hides what the base has at a path that the origin has not: at the first component that is
     * missing, so that no empty directories remain.
     */
    void hide(TreePath path) {
        TreePath at = TreePath.ROOT;
        for (byte[] name : path.components()) {
            TreePath next = at.child(name);
            Optional<FileStatus> status = origin(at, name);
            if (status.isEmpty() || status.get().type() != FileType.DIRECTORY) {
                whiteout(next);
                return;
            }
            at = next;
        }
    }

    private Optional<FileStatus> origin(TreePath parent, byte[] name) {
        return from.directory(parent).flatMap(directory -> directory.stat(name));
    }

    private void whiteout(TreePath path) {
        Optional<Dir> parent = makeParents(path);
        if (parent.isPresent() && parent.get().stat(path.name()).isEmpty()) {
            parent.get().makeWhiteout(path.name());
        }
    }

    @Override
    public void close() {
        from.close();
        to.close();
    }
}
