package dev.carrel.cli;

import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.failure.ConflictException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Says what an apply or undo does: before it is done what people have to know, afterwards the rest.
 */
record Taking(Context context, CoreSession session, ApplyReport.Kind kind, boolean json) {

    /** An apply or undo that tells its plan before it writes anything. */
    interface Work {
        ApplyPlan carryOut(Consumer<ApplyPlan> announce) throws InterruptedException;
    }

    int onlySay(ApplyPlan plan) {
        announce(plan);
        return tell(plan, false);
    }

    int carryOut(Work work) throws InterruptedException {
        List<ApplyPlan> announced = new ArrayList<>();
        ApplyPlan plan;
        try {
            plan =
                    work.carryOut(planned -> {
                        announced.add(planned);
                        announce(planned);
                    });
        } catch (ConflictException refused) {
            if (announced.isEmpty() || !announced.getLast().isRefused()) {
                throw refused;
            }
            plan = announced.getLast();
        }
        return tell(plan, !plan.isRefused());
    }

    private void announce(ApplyPlan plan) {
        if (!plan.isRefused()) {
            report(plan, false).laterRunLines().forEach(context.err()::println);
            context.err().flush();
        }
    }

    private ApplyReport report(ApplyPlan plan, boolean done) {
        return new ApplyReport(session.id(), session.repos().size(), kind, plan, done);
    }

    private int tell(ApplyPlan plan, boolean done) {
        ApplyReport report = report(plan, done);
        plan.notices().forEach(notice -> context.err().println("carrel: " + Human.oneLine(notice)));
        if (json) {
            context.out().println(report.json().written());
        } else {
            report.lines().forEach(context.out()::println);
        }
        report.conflictLines().forEach(context.err()::println);
        return plan.conflicts().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
