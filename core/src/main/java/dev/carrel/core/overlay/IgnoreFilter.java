package dev.carrel.core.overlay;

import dev.carrel.core.tree.TreePath;
import java.util.List;
import java.util.Set;

/** Tells which changes the repository's own rules ignore. */
@FunctionalInterface
public interface IgnoreFilter {

    /**
     * The paths among these changes that are ignored and not tracked.
     *
     * @param view where the rules are read
     */
    Set<TreePath> ignored(MergedTree view, List<Change> changes) throws InterruptedException;

    /** For plain directories: nothing is ignored. */
    static IgnoreFilter nothing() {
        return (_, _) -> Set.of();
    }
}
