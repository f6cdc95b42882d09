package dev.carrel.core.session;

import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.Step;
import java.nio.file.Path;
import java.util.List;

/** A Carrel process that dies in the middle of its work, without a chance to clean up. */
public final class FaultMain {

    static final int KILLED = 137;

    private FaultMain() {}

    /**
     * {@code WORK BASE BWRAP SUBJECT STEPS}: does so many steps of the work on the subject and
     * dies.
     */
    public static void main(String[] arguments) throws Exception {
        SessionFixture fixture = SessionFixture.at(Path.of(arguments[1]), Path.of(arguments[2]));
        String subject = arguments[3];
        List<Step> steps =
                switch (arguments[0]) {
                    case "create" -> {
                        fixture.tools().layout().create();
                        yield new SessionPlanner(fixture.tools())
                                .plan(SessionRequest.of(Path.of(subject)))
                                .steps();
                    }
                    case "remove" ->
                            new SessionRemoval(fixture.tools())
                                    .steps(
                                            fixture.record(fixture.sessions.find(subject)),
                                            Running.END);
                    case "apply" ->
                            fixture.sessions.find(subject).planApply(List.of(), false).steps();
                    case "run" -> List.of(new Step("run", () -> run(fixture, subject)));
                    default -> throw new IllegalArgumentException(arguments[0]);
                };
        for (Step step : steps.subList(0, Integer.parseInt(arguments[4]))) {
            step.run();
        }
        Runtime.getRuntime().halt(KILLED);
    }

    private static void run(SessionFixture fixture, String session) throws InterruptedException {
        fixture.run(
                fixture.sessions.find(session),
                "echo mine > written; echo started; sleep 600 & sleep 600");
    }
}
