package dev.carrel.core.snapshot;

import dev.carrel.core.store.Step;
import java.util.List;

/**
 * How a base will be made. Nothing has been written yet.
 *
 * @param base what there is once all steps have run
 * @param steps the effects in order; after a kill anywhere, a plan made anew repairs
 */
public record SnapshotPlan(Base base, List<Step> steps) {
    public SnapshotPlan {
        steps = List.copyOf(steps);
    }
}
