package dev.carrel.cli;

import dev.carrel.core.adapter.AgentEvent;
import java.time.Duration;
import java.util.Optional;

/**
 * One line at a terminal about what an agent does; denials and troubles stay. What must be known is
 * told without a terminal, too. Safe for many threads.
 */
final class AgentProgress implements AutoCloseable {

    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int WIDEST = 40;

    private final Context context;
    private final String backend;
    private final boolean shows;
    private final long start = System.nanoTime();
    private Optional<Thread> clock = Optional.empty();
    private boolean begun;
    private String doing = "starting";
    private long tokens;
    private boolean closed;

    /**
     * Shows nothing yet.
     *
     * @param quiet whether something else is written to the terminal meanwhile
     */
    AgentProgress(Context context, String backend, boolean quiet) {
        this.context = context;
        this.backend = backend;
        this.shows = context.surroundings().talks() && !quiet;
    }

    /** The agent was started. */
    synchronized void begin() {
        begun = true;
        clock =
                shows && !closed
                        ? Optional.of(
                                Thread.ofPlatform().daemon().name("progress").start(this::tick))
                        : Optional.empty();
    }

    private void tick() {
        try {
            while (true) {
                draw();
                Thread.sleep(TICK);
            }
        } catch (InterruptedException e) {
            // It is over.
        }
    }

    synchronized void accept(AgentEvent event) {
        switch (event) {
            case AgentEvent.Started _ -> doing = "thinking";
            case AgentEvent.Text(String text, _) -> doing = "says: " + firstLine(text);
            case AgentEvent.ToolCall(_, String tool, String input) ->
                    doing = firstLine(tool + " " + input);
            case AgentEvent.ToolResult _ -> doing = "thinking";
            case AgentEvent.FileChange(String path, _) -> doing = "wrote " + firstLine(path);
            case AgentEvent.Used(var usage) -> tokens = usage.input() + usage.output();
            case AgentEvent.Trouble(var failure, boolean retrying) ->
                    say(false, failure.message() + (retrying ? "; it tries again" : ""));
            case AgentEvent.Denied denied ->
                    say(
                            true,
                            "egress to "
                                    + denied.host()
                                    + ":"
                                    + denied.port()
                                    + " was denied: "
                                    + denied.reason()
                                    + denied.remedy()
                                            .map(cure -> "; to allow it: " + cure)
                                            .orElse(""));
            case AgentEvent.Notice(String text) -> say(true, text);
        }
        draw();
    }

    private static String firstLine(String text) {
        String line = text.strip().lines().findFirst().orElse("");
        return line.length() > WIDEST ? line.substring(0, WIDEST) + "…" : line;
    }

    private void say(boolean always, String text) {
        if (always || shows) {
            clear();
            context.err().println("carrel: " + Human.oneLine(text));
        }
    }

    private synchronized void draw() {
        if (shows && begun && !closed) {
            String used = tokens == 0 ? "" : " · " + tokens + " tokens";
            context.err()
                    .print(
                            CLEAR_LINE
                                    + Human.oneLine(backend + " · " + doing)
                                    + used
                                    + " · "
                                    + Human.duration(Duration.ofNanos(System.nanoTime() - start)));
            context.err().flush();
        }
    }

    private void clear() {
        if (shows) {
            context.err().print(CLEAR_LINE);
            context.err().flush();
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            clock.ifPresent(Thread::interrupt);
            clear();
        }
    }
}
