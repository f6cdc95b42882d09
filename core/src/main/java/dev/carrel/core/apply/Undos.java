package dev.carrel.core.apply;

import dev.carrel.core.store.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Plans to take the last apply back: an apply of what it replaced, carried out and repaired by
 * {@link Applies}. Afterwards the session's changes are as they were before that apply.
 */
public final class Undos {

    private Undos() {}

    /**
     * Compares the host with what the last apply left there; writes nothing. Where something is not
     * as applied any more, that is a conflict.
     *
     * @throws dev.carrel.core.failure.ConflictException if an earlier apply was cut short and not
     *     recovered
     */
    public static ApplyPlan plan(UndoRequest request) {
        return plan(request, Syncing::of);
    }

    static ApplyPlan plan(UndoRequest request, IntFunction<Syncing> syncing) {
        Applies.requireRecovered(request.files());
        UndoStore store = new UndoStore(request.files());
        Map<String, List<Undoable>> byRepo = new LinkedHashMap<>();
        for (Undoable undoable : store.load()) {
            byRepo.computeIfAbsent(undoable.repo(), _ -> new ArrayList<>()).add(undoable);
        }
        Map<String, List<Operation>> operations = new LinkedHashMap<>();
        List<Batch> batches = new ArrayList<>();
        List<ApplyConflict> conflicts = new ArrayList<>();
        List<String> notices = new ArrayList<>();
        List<Undoable> rest = new ArrayList<>();
        byRepo.forEach((repo, undoables) -> {
            Path root = request.roots().get(repo);
            if (root == null) {
                throw new IllegalArgumentException("no checkout of " + repo);
            }
            UndoPlanner.Result result = new UndoPlanner(repo, root, store).plan(undoables);
            conflicts.addAll(result.conflicts());
            notices.addAll(result.notices());
            rest.addAll(result.rest());
            batches.add(new Batch(repo, root, result.operations(), () -> new KeptContents(store)));
            operations.put(repo, result.operations().stream().map(Planned::operation).toList());
        });
        boolean idle = batches.stream().allMatch(batch -> batch.operations().isEmpty());
        boolean refused = !conflicts.isEmpty() && !request.partial();
        List<Step> steps =
                idle || refused
                        ? List.of()
                        : new Execution(
                                        request.files(),
                                        AppliedRecord.load(request.files().applied()),
                                        batches,
                                        Optional.of(rest),
                                        syncing)
                                .steps();
        return new ApplyPlan(
                operations,
                conflicts,
                notices,
                LaterRun.of(batches),
                request.partial(),
                Optional.empty(),
                steps);
    }
}
