package dev.carrel.core.apply;

import java.util.List;

/**
 * What to take.
 *
 * @param targets the repositories; all or none of them is written
 * @param includeIgnored whether files that git ignores come along
 * @param partial whether what is not in conflict is taken although something else is
 * @param files where the apply keeps its own files
 * @param tool merges
 */
public record ApplyRequest(
        List<ApplyTarget> targets,
        boolean includeIgnored,
        boolean partial,
        ApplyFiles files,
        MergeTool tool) {

    public ApplyRequest {
        targets = List.copyOf(targets);
        long names = targets.stream().map(ApplyTarget::repoName).distinct().count();
        if (targets.isEmpty() || names != targets.size()) {
            throw new IllegalArgumentException("targets need distinct names");
        }
    }
}
