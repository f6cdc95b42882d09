package dev.carrel.core.apply;

import dev.carrel.core.store.Step;
import java.util.List;
import java.util.Map;

/**
 * What an apply would do. Nothing has been written yet.
 *
 * @param operations by repository name, in the order in which they are done
 * @param conflicts why nothing will be done; empty if it can
 * @param notices what people should know besides, one sentence each
 * @param steps the effects in order; none where there are conflicts or nothing is to be done
 */
@SuppressWarnings("exports") // the steps are the session package's
public record ApplyPlan(
        Map<String, List<Operation>> operations,
        List<ApplyConflict> conflicts,
        List<String> notices,
        List<Step> steps) {

    public ApplyPlan {
        conflicts = List.copyOf(conflicts);
        notices = List.copyOf(notices);
        steps = List.copyOf(steps);
    }
}
