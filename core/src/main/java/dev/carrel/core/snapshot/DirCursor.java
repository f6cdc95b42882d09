package dev.carrel.core.snapshot;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/** Directories below a root, the last one kept open: paths that come in order share it. */
final class DirCursor implements AutoCloseable {

    private final Dir root;
    private TreePath at = TreePath.ROOT;
    private Optional<Dir> open = Optional.empty();

    DirCursor(Dir root) {
        this.root = root;
    }

    /** The directory at a path; empty where a component is missing or not a directory. */
    Optional<Dir> directory(TreePath path) {
        if (path.isRoot()) {
            return Optional.of(root);
        }
        if (open.isEmpty() || !at.equals(path)) {
            close();
            open = root.walk(path);
            at = path;
        }
        return open;
    }

    /** The directory that holds a path. */
    Optional<Dir> parentOf(TreePath path) {
        return directory(path.parent().orElse(TreePath.ROOT));
    }

    @Override
    public void close() {
        open.ifPresent(Dir::close);
        open = Optional.empty();
    }
}
