package dev.carrel.core.session;

import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.DoomedJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A Carrel process that dies in the middle of its work, without a chance to clean up. Asked for
 * {@code WORK BASE BWRAP SUBJECT STEPS STAY}: does so many steps of the work on the subject, and
 * then waits for its end or goes on.
 */
final class FaultMain {

    /** Of the session's only project. */
    static final List<String> PATHS = List.of("/workspace/project/a.txt", "/workspace/project/new");

    private static final Duration SOON = Duration.ofSeconds(10);

    private final SessionFixture fixture;
    private final String subject;
    private final int count;
    private final boolean stay;

    private FaultMain(List<String> words) {
        this.fixture = SessionFixture.at(Path.of(words.get(1)), Path.of(words.get(2)));
        this.subject = words.get(3);
        this.count = Integer.parseInt(words.get(4));
        this.stay = Boolean.parseBoolean(words.get(5));
    }

    public static void main(String[] arguments) throws Exception {
        DoomedJvm.work(words -> new FaultMain(words).work(words.getFirst()));
    }

    private void work(String kind) throws InterruptedException {
        switch (kind) {
            case "create" -> create();
            case "remove" -> remove();
            case "apply" -> apply();
            case "discard" -> discard(List.of());
            case "discard paths" -> discard(PATHS);
            case "run" -> command();
            default -> throw new IllegalArgumentException(kind);
        }
    }

    private void run(List<Step> steps) throws InterruptedException {
        for (Step step : steps.subList(0, count)) {
            step.run();
        }
        DoomedJvm.reached(stay);
        for (Step step : steps.subList(count, steps.size())) {
            step.run();
        }
    }

    private void create() throws InterruptedException {
        fixture.tools().layout().create();
        run(new SessionPlanner(fixture.tools()).plan(SessionRequest.of(Path.of(subject))).steps());
    }

    private void remove() throws InterruptedException {
        SessionRecord record = fixture.record(fixture.sessions.find(subject));
        run(new SessionRemoval(fixture.tools()).steps(record, Running.END));
    }

    private void apply() throws InterruptedException {
        Session session = fixture.sessions.find(subject);
        try (Locks.Held _ = Locks.acquire(layout(session).applyLock(), "apply", SOON)) {
            run(session.planApply(List.of(), false).steps());
        }
    }

    /** As {@link SessionDiscard} does it. */
    private void discard(List<String> paths) throws InterruptedException {
        Session session = fixture.sessions.find(subject);
        SessionLayout layout = layout(session);
        SessionRecord record = fixture.record(session);
        var runtime = SessionCommands.runtime(fixture.tools(), layout, record);
        SessionDiscard discard = new SessionDiscard(fixture.tools(), layout, record, runtime);
        try (Locks.Held _ = Locks.acquire(layout.applyLock(), "discard", SOON)) {
            if (runtime.runningCommands() > 0) {
                run(new LiveRestore(fixture.tools(), layout, record).steps(wanted(record, paths)));
            } else {
                runtime.whileStopped(
                        SessionRemoval.works(record, layout),
                        "discard",
                        () -> run(discard.steps(paths)));
            }
        }
    }

    private Map<String, List<dev.carrel.core.tree.TreePath>> wanted(
            SessionRecord record, List<String> paths) {
        return new PathArguments(record.repos(), fixture.base).byRepo(paths);
    }

    private SessionLayout layout(Session session) {
        return fixture.tools().layout().session(session.id().value());
    }

    private void command() throws InterruptedException {
        fixture.run(
                fixture.sessions.find(subject),
                // Whole at once: who sees the file may end its writer.
                "echo mine > part; mv part written; echo started; sleep 600 & sleep 600");
    }
}
