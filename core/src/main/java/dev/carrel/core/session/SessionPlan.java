package dev.carrel.core.session;

import dev.carrel.core.snapshot.SnapshotPlan;
import dev.carrel.core.store.Step;
import java.util.List;

/**
 * How a session will be made; nothing has been written yet.
 *
 * @param record the session as it will be
 * @param snapshots one per repository
 * @param steps the effects in order; after a kill anywhere the next use of Carrel removes what is
 *     there
 */
record SessionPlan(SessionRecord record, List<SnapshotPlan> snapshots, List<Step> steps) {

    SessionPlan {
        snapshots = List.copyOf(snapshots);
        steps = List.copyOf(steps);
    }

    List<String> notices() {
        return snapshots.stream().flatMap(snapshot -> snapshot.base().notices().stream()).toList();
    }
}
