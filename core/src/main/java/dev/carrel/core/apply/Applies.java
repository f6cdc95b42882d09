package dev.carrel.core.apply;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.MergedTree;
import dev.carrel.core.store.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans, carries out and repairs applies. One at a time for each session. */
public final class Applies {

    private Applies() {}

    /**
     * Compares session, base and host; writes nothing.
     *
     * @throws dev.carrel.core.failure.NotFoundException for a path that nobody has
     * @throws ConflictException if a limit or an unreadable directory hides part of the changes, or
     *     an earlier apply was cut short and not recovered
     * @throws HostOperationException if what is to be written does not fit
     */
    public static ApplyPlan plan(ApplyRequest request) throws InterruptedException {
        if (Files.exists(request.journal())) {
            throw new ConflictException("an earlier apply of the session was cut short");
        }
        AppliedRecord applied = AppliedRecord.load(request.applied());
        Map<String, List<Operation>> operations = new LinkedHashMap<>();
        List<List<Planned>> planned = new ArrayList<>();
        List<ApplyConflict> conflicts = new ArrayList<>();
        List<String> notices = new ArrayList<>();
        for (ApplyTarget target : request.targets()) {
            TargetPlanner planner = new TargetPlanner(target, applied.of(target.repoName()));
            TargetPlanner.Result result = planner.plan(request.includeIgnored());
            conflicts.addAll(result.conflicts());
            notices.addAll(result.notices());
            planned.add(result.operations());
            operations.put(
                    target.repoName(),
                    result.operations().stream().map(Planned::operation).toList());
            Execution.settle(applied, target.repoName(), result.settled());
            requireSpace(target, result.operations());
        }
        boolean idle = planned.stream().allMatch(List::isEmpty);
        List<Step> steps =
                idle || !conflicts.isEmpty()
                        ? List.of()
                        : new Execution(request, applied, planned).steps();
        return new ApplyPlan(operations, conflicts, notices, steps);
    }

    /** A sparse file of terabytes costs a session nothing, and would cost the host its disk. */
    private static void requireSpace(ApplyTarget target, List<Planned> operations) {
        long needed = 0;
        try (MergedTree view = MergedTree.view(target.stack())) {
            for (Planned planned : operations) {
                if (planned.operation() instanceof Operation.Write write
                        && view.entry(write.path()).orElse(null)
                                instanceof Entry.RegularFile file) {
                    needed += file.size();
                }
            }
            long free = Files.getFileStore(target.hostRoot()).getUsableSpace();
            if (needed > free) {
                throw new HostOperationException(
                        "applying writes "
                                + needed
                                + " bytes into "
                                + target.hostRoot()
                                + ", where "
                                + free
                                + " are free",
                        "free some space there, or name the paths to apply");
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot tell the free space of " + target.hostRoot() + ": " + e.getMessage(),
                    null,
                    e);
        }
    }

    /**
     * Carries a plan out; on a failure everything is undone before it is reported.
     *
     * @throws ConflictException if the plan has conflicts, or the host changed since it was made
     */
    public static void run(ApplyRequest request, ApplyPlan plan) throws InterruptedException {
        if (!plan.conflicts().isEmpty()) {
            List<String> lines = plan.conflicts().stream().map(ApplyConflict::toString).toList();
            throw new ConflictException(
                    "nothing was applied, the host differs from what the session started from:\n"
                            + String.join("\n", lines));
        }
        try {
            for (Step step : plan.steps()) {
                step.run();
            }
        } catch (RuntimeException | InterruptedException failed) {
            try {
                recover(request.journal(), request.applied(), Recovery.UNDONE);
            } catch (RuntimeException notUndone) {
                failed.addSuppressed(notUndone);
            }
            throw failed;
        }
    }

    /** Whether an apply is at work, or one that was killed has left something. */
    public static boolean isUnfinished(Path journal) {
        return Files.exists(journal)
                || Files.exists(Journal.operations(journal))
                || Files.exists(Journal.applied(journal));
    }

    /**
     * Finishes or undoes what an earlier run left; to be called before anything else is done with
     * the session. Empty if there was nothing.
     *
     * @throws ConflictException if the host was changed meanwhile so that neither is possible;
     *     nothing of the host is lost, and the staging directory in the repository's root stays
     */
    public static Optional<Recovery> recover(Path journal, Path applied) {
        return recover(journal, applied, Recovery.FINISHED);
    }

    private static Optional<Recovery> recover(Path journal, Path applied, Recovery wish) {
        Optional<Journal> left = Journal.load(journal);
        if (left.isEmpty()) {
            Journal.delete(journal); // what a kill within just that left of it
            return Optional.empty();
        }
        return Optional.of(new Repair(journal, applied, left.get()).run(wish));
    }
}
