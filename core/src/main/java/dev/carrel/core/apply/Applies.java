package dev.carrel.core.apply;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.store.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** Plans, carries out and repairs applies. One at a time for each session. */
public final class Applies {

    /** From an apply of more files not all are kept for later merges: it would double the cost. */
    private static final int KEEP_ALL = 1_000;

    private Applies() {}

    /**
     * Compares session, base and host, and merges where both changed something; writes nothing but
     * scratch files.
     *
     * @throws dev.carrel.core.failure.NotFoundException for a path that nobody has
     * @throws ConflictException if a limit or an unreadable directory hides part of the changes, or
     *     an earlier apply was cut short and not recovered
     * @throws HostOperationException if what is to be written does not fit
     */
    public static ApplyPlan plan(ApplyRequest request) throws InterruptedException {
        return plan(request, Syncing::of);
    }

    static ApplyPlan plan(ApplyRequest request, IntFunction<Syncing> syncing)
            throws InterruptedException {
        requireRecovered(request.files());
        AppliedRecord applied = AppliedRecord.load(request.files().applied());
        Ancestors ancestors = new Ancestors(request.files().ancestors());
        Map<String, List<Operation>> operations = new LinkedHashMap<>();
        List<Batch> batches = new ArrayList<>();
        List<ApplyConflict> conflicts = new ArrayList<>();
        List<String> notices = new ArrayList<>();
        for (ApplyTarget target : request.targets()) {
            TargetPlanner.Result result =
                    new TargetPlanner(
                                    target,
                                    request.tool(),
                                    applied.of(target.repoName()),
                                    ancestors)
                            .plan(request.includeIgnored());
            conflicts.addAll(result.conflicts());
            notices.addAll(result.notices());
            batches.add(batch(target, result.operations(), ancestors));
            operations.put(
                    target.repoName(),
                    result.operations().stream().map(Planned::operation).toList());
            settle(applied, target.repoName(), result);
            requireSpace(target, result.bytes());
        }
        boolean idle = batches.stream().allMatch(batch -> batch.operations().isEmpty());
        boolean refused = !conflicts.isEmpty() && !request.partial();
        List<Step> steps =
                idle || refused
                        ? List.of()
                        : new Execution(
                                        request.files(),
                                        applied,
                                        batches,
                                        Optional.empty(),
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

    static void requireRecovered(ApplyFiles files) {
        if (Files.exists(files.journal())) {
            throw new ConflictException("an earlier apply of the session was cut short");
        }
    }

    private static Batch batch(ApplyTarget target, List<Planned> operations, Ancestors ancestors) {
        boolean keepAll = operations.size() <= KEEP_ALL;
        return new Batch(
                target.repoName(),
                target.hostRoot(),
                operations,
                () -> new SessionContents(target.stack(), ancestors, keepAll));
    }

    /** What is to be remembered without any operation. */
    private static void settle(AppliedRecord applied, String repo, TargetPlanner.Result result) {
        result.settled()
                .forEach((path, print) ->
                        print.ifPresentOrElse(
                                known -> applied.remember(repo, path, Applied.asIs(known)),
                                () -> applied.forget(repo, path)));
    }

    /** A sparse file of terabytes costs a session nothing, and would cost the host its disk. */
    private static void requireSpace(ApplyTarget target, long needed) {
        try {
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
     * @throws ConflictException if the plan has conflicts and is not partial, or the host changed
     *     since it was made
     */
    public static void run(ApplyFiles files, ApplyPlan plan) throws InterruptedException {
        if (plan.isRefused()) {
            List<String> lines = plan.conflicts().stream().map(ApplyConflict::toString).toList();
            throw new ConflictException(
                    "nothing was written, host and session do not go together:\n"
                            + String.join("\n", lines));
        }
        try {
            for (Step step : plan.steps()) {
                step.run();
            }
        } catch (RuntimeException | InterruptedException failed) {
            try {
                recover(files, Recovery.UNDONE);
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
    public static Optional<Recovery> recover(ApplyFiles files) {
        return recover(files, Recovery.FINISHED);
    }

    private static Optional<Recovery> recover(ApplyFiles files, Recovery wish) {
        Optional<Journal> left = Journal.load(files.journal());
        if (left.isEmpty()) {
            Journal.delete(files.journal()); // what a kill within just that left of it
            return Optional.empty();
        }
        return Optional.of(new Repair(files, left.get()).run(wish));
    }
}
