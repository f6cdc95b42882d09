package dev.carrel.core.apply;

import dev.carrel.core.store.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an apply would do. Nothing has been written yet.
 *
 * @param operations by repository name, in the order in which they are done
 * @param conflicts where nothing will be written; without {@code partial} nothing is written at all
 *     then
 * @param notices what people should know besides, one sentence each
 * @param laterRuns what will be written and may be executed later
 * @param partial whether what is not in conflict is done although something else is
 * @param conflictFiles where the versions of what is in conflict were written: below {@code base},
 *     {@code host} and {@code session}, by repository and path
 * @param steps the effects in order; none where nothing is to be done
 */
@SuppressWarnings("exports") // the steps are the session package's
public record ApplyPlan(
        Map<String, List<Operation>> operations,
        List<ApplyConflict> conflicts,
        List<String> notices,
        List<LaterRun> laterRuns,
        boolean partial,
        Optional<Path> conflictFiles,
        List<Step> steps) {

    public ApplyPlan {
        conflicts = List.copyOf(conflicts);
        notices = List.copyOf(notices);
        laterRuns = List.copyOf(laterRuns);
        steps = List.copyOf(steps);
    }

    /** The same, with the versions written. */
    public ApplyPlan withConflictFiles(Path directory) {
        return new ApplyPlan(
                operations, conflicts, notices, laterRuns, partial, Optional.of(directory), steps);
    }

    /** Whether conflicts forbid it all. */
    public boolean isRefused() {
        return !conflicts.isEmpty() && !partial;
    }
}
