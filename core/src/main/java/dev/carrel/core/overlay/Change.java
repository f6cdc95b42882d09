package dev.carrel.core.overlay;

import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/**
 * One entry that differs between base and view.
 *
 * @param before what the base has; never {@link Entry.Special}
 * @param after what the view has; never {@link Entry.Special}
 * @param ignored whether git ignores the path (and does not track it)
 * @param renamedFrom the deleted path whose content this added file has, where renames were looked
 *     for
 */
public record Change(
        TreePath path,
        ChangeKind kind,
        Optional<Entry> before,
        Optional<Entry> after,
        boolean ignored,
        Optional<TreePath> renamedFrom) {

    public Change {
        boolean fits =
                switch (kind) {
                    case ADDED -> before.isEmpty() && after.isPresent();
                    case DELETED -> before.isPresent() && after.isEmpty();
                    case MODIFIED, MODE_CHANGED, TYPE_CHANGED ->
                            before.isPresent() && after.isPresent();
                };
        if (!fits || path.isRoot()) {
            throw new IllegalArgumentException(kind + " of '" + path + "'");
        }
    }

    static Change added(TreePath path, Entry after) {
        return new Change(
                path,
                ChangeKind.ADDED,
                Optional.empty(),
                Optional.of(after),
                false,
                Optional.empty());
    }

    static Change deleted(TreePath path, Entry before) {
        return new Change(
                path,
                ChangeKind.DELETED,
                Optional.of(before),
                Optional.empty(),
                false,
                Optional.empty());
    }

    static Change between(TreePath path, ChangeKind kind, Entry before, Entry after) {
        return new Change(
                path, kind, Optional.of(before), Optional.of(after), false, Optional.empty());
    }

    Change asIgnored() {
        return new Change(path, kind, before, after, true, renamedFrom);
    }

    Change renamed(TreePath from) {
        return new Change(path, kind, before, after, ignored, Optional.of(from));
    }

    /** Whether either side is a directory and the other one is a directory or nothing. */
    public boolean isOfDirectory() {
        return before.or(() -> after).get() instanceof Entry.Directory
                && after.or(() -> before).get() instanceof Entry.Directory;
    }
}
