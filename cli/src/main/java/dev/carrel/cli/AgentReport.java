package dev.carrel.cli;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.agent.AgentEnding;
import dev.carrel.core.agent.AgentResult;
import dev.carrel.core.process.StandardStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What is said of an agent's run while it goes on, and after it. Told on threads of the run. */
final class AgentReport implements Consumer<AgentEvent>, AutoCloseable {

    private static final int TIMED_OUT = 124;
    private static final int NOT_FOUND = 127;
    private static final int OUT_OF_MEMORY = 137;

    private final Context context;
    private final String backend;
    private final boolean json;
    private final boolean stream;
    private final AgentProgress progress;
    private final List<AgentEvent.Denied> denied = new ArrayList<>();

    AgentReport(Context context, String backend, boolean json, boolean stream) {
        this.context = context;
        this.backend = backend;
        this.json = json;
        this.stream = stream;
        this.progress =
                new AgentProgress(
                        context, backend, stream && context.isTerminal(StandardStream.OUTPUT));
    }

    static int exit(AgentResult result) {
        return switch (result.ending()) {
            case AgentEnding.Succeeded() -> ExitCode.OK;
            case AgentEnding.TimedOut _ -> TIMED_OUT;
            case AgentEnding.ProgramMissing _ -> NOT_FOUND;
            case AgentEnding.OutOfMemory _ -> OUT_OF_MEMORY;
            case AgentEnding.Cancelled() -> ExitCode.INTERRUPTED;
            case AgentEnding.Failed _,
                    AgentEnding.Unauthenticated _,
                    AgentEnding.RateLimited _,
                    AgentEnding.HostNotAllowed _,
                    AgentEnding.LimitReached _ ->
                    ExitCode.FAILED;
        };
    }

    @Override
    public void accept(AgentEvent event) {
        if (event instanceof AgentEvent.Denied each) {
            denied.add(each);
        }
        if (stream) {
            context.out().println(AgentJson.of(event).written());
            context.out().flush();
        }
        progress.accept(event);
    }

    /** The agent was started. */
    void begin() {
        progress.begin();
    }

    /**
     * A signal has ended it.
     *
     * @param session where it worked
     * @param kept whether that session is still there
     */
    void interrupted(Optional<String> session, boolean kept) {
        progress.close();
        if (json || stream) {
            context.out().println(AgentJson.interrupted(backend, session, kept).written());
        }
        session.filter(_ -> kept)
                .ifPresent(id ->
                        context.tell(
                                List.of(
                                        "interrupted; session "
                                                + id
                                                + " is kept: carrel session show "
                                                + id)));
    }

    /**
     * Tells the result.
     *
     * @param applies whether its changes are applied next
     */
    void result(AgentResult result, boolean applies) {
        progress.close();
        if (json || stream) {
            Json.Fields object = AgentJson.of(result, List.copyOf(denied));
            context.out().println(object.written());
        } else if (!result.text().isBlank()) {
            print(result.text().strip());
        }
        if (!result.ending().succeeded()) {
            context.err().println("carrel: " + Human.oneLine(result.ending().message()));
            result.ending()
                    .remedy()
                    .ifPresent(cure -> context.err().println("  fix: " + Human.oneLine(cure)));
        }
        if (!applies) {
            context.tell(next(result));
        }
    }

    /** What an agent writes must not drive the terminal. */
    private void print(String text) {
        if (context.isTerminal(StandardStream.OUTPUT)) {
            text.lines().forEach(line -> context.out().println(Human.oneLine(line)));
        } else {
            context.out().println(text);
        }
        context.out().flush();
    }

    private static List<String> next(AgentResult result) {
        List<String> lines = new ArrayList<>();
        int changes = result.changes().size();
        String changed = changes == 0 ? "no changes" : Human.plural(changes, "file") + " changed";
        result.session()
                .ifPresentOrElse(
                        session -> {
                            lines.add(
                                    session
                                            + ": "
                                            + changed
                                            + (result.kept() ? "" : "; the session is removed"));
                            if (result.kept() && changes > 0) {
                                lines.add(
                                        "carrel diff "
                                                + session
                                                + " · carrel apply "
                                                + session
                                                + " · carrel discard "
                                                + session);
                            }
                        },
                        () -> {
                            if (result.exit().isPresent()) {
                                lines.add(changed + " in the repository itself");
                            }
                        });
        if (result.kept()) {
            result.conversation()
                    .ifPresent(id ->
                            lines.add(
                                    "carrel agent "
                                            + result.backend()
                                            + " --resume "
                                            + Human.oneLine(id)
                                            + " QUERY"));
        }
        return lines;
    }

    @Override
    public void close() {
        progress.close();
    }
}
