package dev.carrel.core.overlay;

import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All that differs between base and view.
 *
 * @param changes sorted by path, every directory included
 * @param notices what people should know besides, one sentence each: special files, limits
 * @param complete false where a limit or an unreadable directory cut the walk short: good for
 *     looking at, not for applying
 */
public record ChangeSet(List<Change> changes, List<String> notices, boolean complete) {

    public ChangeSet {
        changes = List.copyOf(changes);
        notices = List.copyOf(notices);
    }

    /** Whether nothing differs. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** The same without what git ignores. */
    public ChangeSet withoutIgnored() {
        return with(changes.stream().filter(change -> !change.ignored()).toList());
    }

    /**
     * What is at or below one of the paths, and the new directories that lead there. No paths means
     * all.
     *
     * @see ChangeSets#select which also tells paths that do not exist
     */
    public ChangeSet restrictedTo(List<TreePath> paths) {
        if (paths.isEmpty()) {
            return this;
        }
        List<Change> selected = new ArrayList<>();
        Set<TreePath> needed = new HashSet<>();
        for (Change change : changes.reversed()) {
            boolean inside = paths.stream().anyMatch(change.path()::startsWith);
            boolean leads =
                    needed.contains(change.path())
                            && change.after().orElse(null) instanceof Entry.Directory;
            if (inside || leads) {
                selected.add(change);
                if (change.after().isPresent()) {
                    change.path().parent().ifPresent(needed::add);
                }
            }
        }
        return with(selected.reversed());
    }

    /**
     * What a list for people shows: all but directories that come or go together with what they
     * hold.
     */
    public List<Change> listed() {
        List<Change> shown = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            boolean implied =
                    change.isOfDirectory()
                            && change.kind() != ChangeKind.MODE_CHANGED
                            && i + 1 < changes.size()
                            && changes.get(i + 1).path().startsWith(change.path())
                            && hasOfKind(change.kind(), change.path(), i + 1);
            if (!implied) {
                shown.add(change);
            }
        }
        return shown;
    }

    private boolean hasOfKind(ChangeKind kind, TreePath directory, int from) {
        for (int i = from; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (!change.path().startsWith(directory)) {
                return false;
            }
            if (change.kind() == kind) {
                return true;
            }
        }
        return false;
    }

    /** How many of {@link #listed} there are of each sort. */
    public Summary summary() {
        int added = 0;
        int modified = 0;
        int deleted = 0;
        for (Change change : listed()) {
            switch (change.kind()) {
                case ADDED -> added++;
                case MODIFIED, MODE_CHANGED, TYPE_CHANGED -> modified++;
                case DELETED -> deleted++;
            }
        }
        return new Summary(added, modified, deleted);
    }

    private ChangeSet with(List<Change> others) {
        return new ChangeSet(others, notices, complete);
    }

    /** Counts for one line. */
    public record Summary(int added, int modified, int deleted) {
        /** All together. */
        public int total() {
            return added + modified + deleted;
        }
    }
}
