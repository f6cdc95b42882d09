package dev.carrel.core.apply;

import java.nio.file.Path;
import java.util.List;

/**
 * What to take.
 *
 * @param targets the repositories; all or none of them is written
 * @param includeIgnored whether files that git ignores come along
 * @param journal a file in the session's directory; exists only while an apply runs. {@code
 *     <journal>.operations} is used besides
 * @param applied a file in the session's directory that remembers what applies wrote
 */
public record ApplyRequest(
        List<ApplyTarget> targets, boolean includeIgnored, Path journal, Path applied) {

    public ApplyRequest {
        targets = List.copyOf(targets);
        long names = targets.stream().map(ApplyTarget::repoName).distinct().count();
        if (targets.isEmpty() || names != targets.size()) {
            throw new IllegalArgumentException("targets need distinct names");
        }
    }
}
