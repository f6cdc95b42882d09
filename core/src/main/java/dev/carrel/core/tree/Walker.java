package dev.carrel.core.tree;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One walk: a stack of levels of which only the last few hold an open directory. A level that is
 * come back to is opened again from the root, and must still be the directory it was.
 */
final class Walker {

    private static final int MAX_OPEN = 64;

    private final Dir root;
    private final Walk.Visitor visitor;
    private final Walk.Limits limits;
    private final List<Level> levels = new ArrayList<>();
    private long entries;

    Walker(Dir root, Walk.Visitor visitor, Walk.Limits limits) {
        this.root = root;
        this.visitor = visitor;
        this.limits = limits;
    }

    void run() {
        try {
            FileStatus status = root.stat();
            if (visitor.enter(TreePath.ROOT, root, status)) {
                levels.add(new Level(TreePath.ROOT, status, names(TreePath.ROOT, root), root));
            }
            while (!levels.isEmpty()) {
                Level level = levels.getLast();
                if (level.next < level.names.size()) {
                    visit(level, level.names.get(level.next++));
                } else {
                    leave(level);
                }
            }
        } finally {
            levels.forEach(this::close);
        }
    }

    private void visit(Level level, byte[] name) {
        Dir dir = opened(levels.size() - 1);
        Optional<FileStatus> found = dir.stat(name);
        if (found.isEmpty()) {
            return; // removed since it was listed
        }
        FileStatus status = found.get();
        TreePath path = level.path.child(name);
        if (status.type() == FileType.DIRECTORY) {
            directory(path, dir, status);
        } else {
            visitor.file(path, dir, status);
        }
    }

    private void directory(TreePath path, Dir parent, FileStatus status) {
        if (levels.size() > limits.depth()) {
            throw new HostOperationException(
                    "the tree " + root + " is deeper than " + limits.depth() + " levels");
        }
        Dir dir;
        try {
            dir = parent.openSearchable(path.name());
        } catch (HostOperationException denied) {
            visitor.unreadable(path, parent, status, denied);
            return;
        }
        boolean kept = false;
        try {
            requireSame(dir, status);
            if (visitor.enter(path, dir, status)) {
                levels.add(new Level(path, status, names(path, dir), dir));
                kept = true;
            }
        } finally {
            if (!kept) {
                dir.close();
            }
        }
        closeOutermost();
    }

    private void closeOutermost() {
        int tooMany = levels.size() - 1 - MAX_OPEN;
        if (tooMany >= 0) {
            close(levels.get(tooMany));
        }
    }

    private List<byte[]> names(TreePath path, Dir dir) {
        long left = limits.entries() - entries;
        List<byte[]> names = dir.names((int) Math.min(left + 1, Integer.MAX_VALUE));
        entries += names.size();
        if (entries > limits.entries()) {
            throw new HostOperationException(
                    "the tree "
                            + root
                            + " has more than "
                            + limits.entries()
                            + " entries, counted up to '"
                            + path
                            + "'");
        }
        names.sort(Arrays::compareUnsigned);
        return names;
    }

    private void leave(Level level) {
        close(level);
        levels.removeLast();
        if (!levels.isEmpty()) {
            visitor.leave(level.path, opened(levels.size() - 1), level.status);
        }
    }

    /** The handle of a level; opened again, with those just above, where it was closed. */
    private Dir opened(int index) {
        Dir dir = levels.get(index).dir;
        return dir != null ? dir : reopen(index);
    }

    private Dir reopen(int index) {
        Dir current = root;
        for (int i = 1; i <= index; i++) {
            Level level = levels.get(i);
            current = current.openDir(level.path.name());
            level.dir = current;
            requireSame(current, level.status);
            // Those just above are needed next: keeping them makes coming back cheap.
            if (i - 1 <= index - MAX_OPEN / 2) {
                close(levels.get(i - 1));
            }
        }
        return current;
    }

    private void requireSame(Dir dir, FileStatus status) {
        if (!dir.stat().isSameFile(status)) {
            throw new ConflictException("the tree " + root + " changed while it was read: " + dir);
        }
    }

    private void close(Level level) {
        Dir dir = level.dir;
        if (dir != null && dir != root) {
            level.dir = null;
            dir.close();
        }
    }

    private static final class Level {

        private final TreePath path;
        private final FileStatus status;
        private final List<byte[]> names;
        private int next;
        private @Nullable Dir dir;

        Level(TreePath path, FileStatus status, List<byte[]> names, Dir dir) {
            this.path = path;
            this.status = status;
            this.names = names;
            this.dir = dir;
        }
    }
}
