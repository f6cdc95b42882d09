package dev.carrel.core.apply;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.overlay.Change;
import dev.carrel.core.overlay.ChangeSet;
import dev.carrel.core.overlay.ChangeSets;
import dev.carrel.core.overlay.Limits;
import dev.carrel.core.overlay.MergedTree;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one target's host should look like: the session's changes, and what it took back since. */
final class WantedList {

    private final ApplyTarget target;
    private final Map<TreePath, Applied> applied;
    private final boolean includeIgnored;
    private final List<String> notices = new ArrayList<>();

    WantedList(ApplyTarget target, Map<TreePath, Applied> applied, boolean includeIgnored) {
        this.target = target;
        this.applied = applied;
        this.includeIgnored = includeIgnored;
    }

    List<String> notices() {
        return notices;
    }

    /** Sorted by path. */
    List<Wanted> compute() throws InterruptedException {
        ChangeSet all = changes();
        if (!all.complete()) {
            throw new ConflictException(
                    "the changes of "
                            + target.repoName()
                            + " cannot be told completely: "
                            + String.join("; ", all.notices()),
                    "name the paths to apply");
        }
        notices.addAll(all.notices());
        ChangeSet taken = includeIgnored ? all : all.withoutIgnored();
        List<Wanted> wanted = new ArrayList<>();
        for (Change c : taken.changes()) {
            wanted.add(new Wanted(c.path(), c.before(), c.after(), Operation.Source.VIEW));
        }
        addTakenBack(all, wanted);
        wanted.sort(Comparator.comparing(Wanted::path));
        return wanted;
    }

    /** A path that only an earlier apply knows is no mistake. */
    private ChangeSet changes() throws InterruptedException {
        List<TreePath> paths = new ArrayList<>(target.paths());
        try (MergedTree view = MergedTree.view(target.stack());
                MergedTree base = MergedTree.base(target.stack())) {
            paths.removeIf(path ->
                    view.entry(path).isEmpty()
                            && base.entry(path).isEmpty()
                            && applied.keySet().stream().anyMatch(known -> known.startsWith(path)));
        }
        if (paths.isEmpty() && !target.paths().isEmpty()) {
            return new ChangeSet(List.of(), List.of(), true);
        }
        return ChangeSets.select(target.stack(), target.ignore(), paths, Limits.STANDARD);
    }

    private void addTakenBack(ChangeSet all, List<Wanted> wanted) {
        Set<TreePath> changed = new HashSet<>();
        all.changes().forEach(change -> changed.add(change.path()));
        try (MergedTree base = MergedTree.base(target.stack())) {
            for (TreePath path : applied.keySet()) {
                if (!changed.contains(path) && isSelected(path)) {
                    var entry = base.entry(path);
                    wanted.add(new Wanted(path, entry, entry, Operation.Source.BASE));
                }
            }
        }
    }

    private boolean isSelected(TreePath path) {
        return target.paths().isEmpty() || target.paths().stream().anyMatch(path::startsWith);
    }
}
