package dev.carrel.core.merge;

import dev.carrel.core.tree.TreePath;
import java.util.List;
import java.util.Map;

/**
 * What came of a merge.
 *
 * @param changes of the host's side, without those of conflicts
 * @param conflicts what could not be merged
 * @param hostRenames the old name of what the host renamed, by the new one
 * @param sessionRenames the old name of what the session renamed, by the new one
 */
public record MergeResult(
        List<MergedChange> changes,
        List<MergeConflict> conflicts,
        Map<TreePath, TreePath> hostRenames,
        Map<TreePath, TreePath> sessionRenames) {

    public MergeResult {
        changes = List.copyOf(changes);
        conflicts = List.copyOf(conflicts);
        hostRenames = Map.copyOf(hostRenames);
        sessionRenames = Map.copyOf(sessionRenames);
    }
}
