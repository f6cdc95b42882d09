package dev.carrel.core.overlay;

import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes change sets. May be used while the session runs; nothing is written anywhere but scratch
 * files of ours.
 */
public final class ChangeSets {

    private ChangeSets() {}

    /** All changes, see {@link #select}. */
    public static ChangeSet compute(LayerStack stack, IgnoreFilter ignore)
            throws InterruptedException {
        return select(stack, ignore, List.of(), Limits.STANDARD);
    }

    /**
     * The changes at or below the given paths, and the new directories that lead there.
     *
     * @param paths none means all
     * @throws NotFoundException for a path that neither base nor view has
     */
    public static ChangeSet select(
            LayerStack stack, IgnoreFilter ignore, List<TreePath> paths, Limits limits)
            throws InterruptedException {
        ChangeSet all = new ChangeWalk(paths, limits).run(stack.upper(), stack.lowers());
        requireKnown(stack, all, paths);
        return marked(stack, ignore, all).restrictedTo(paths);
    }

    private static void requireKnown(LayerStack stack, ChangeSet all, List<TreePath> paths) {
        List<TreePath> unchanged = new ArrayList<>(paths);
        unchanged.removeIf(path -> all.changes().stream().anyMatch(c -> c.path().startsWith(path)));
        if (unchanged.isEmpty()) {
            return;
        }
        try (MergedTree view = MergedTree.view(stack);
                MergedTree base = MergedTree.base(stack)) {
            for (TreePath path : unchanged) {
                if (view.entry(path).isEmpty() && base.entry(path).isEmpty()) {
                    throw new NotFoundException(
                            "'" + path + "' is neither in the session nor in its base");
                }
            }
        }
    }

    private static ChangeSet marked(LayerStack stack, IgnoreFilter ignore, ChangeSet all)
            throws InterruptedException {
        if (all.isEmpty()) {
            return all;
        }
        Set<TreePath> ignored;
        try (MergedTree view = MergedTree.view(stack)) {
            ignored = ignore.ignored(view, all.changes());
        }
        if (ignored.isEmpty()) {
            return all;
        }
        List<Change> marked = new ArrayList<>();
        Map<TreePath, Boolean> onlyIgnored = new HashMap<>();
        // From the end: a directory is judged after all that it holds.
        for (Change change : all.changes().reversed()) {
            TreePath path = change.path();
            boolean hides =
                    ignored.contains(path)
                            || (change.isOfDirectory()
                                    && change.kind() != ChangeKind.MODE_CHANGED
                                    && onlyIgnored.getOrDefault(path, false));
            marked.add(hides ? change.asIgnored() : change);
            path.parent()
                    .ifPresent(parent -> onlyIgnored.merge(parent, hides, Boolean::logicalAnd));
        }
        return new ChangeSet(marked.reversed(), all.notices(), all.complete());
    }
}
