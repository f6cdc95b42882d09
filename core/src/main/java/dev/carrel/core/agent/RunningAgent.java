package dev.carrel.core.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.adapter.AgentReport;
import dev.carrel.core.adapter.EventParser;
import dev.carrel.core.adapter.Invocation;
import dev.carrel.core.adapter.Launch;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.SessionId;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An agent that was started: its streams, what it is watched for, and what is left to do. */
final class RunningAgent implements AgentRun {

    /** Between two looks at what was denied. */
    private static final Duration LOOK = Duration.ofMillis(100);

    /** After the end, for streams that something may hold open. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final int INTERRUPTED = 130;

    private final Task task;
    private final Workplace place;
    private final Retain retain;
    private final Consumer<AgentEvent> events;
    private final AgentProcess process;
    private final EventParser parser;
    private final Redaction redaction;
    private boolean over;
    private final Tail errors = new Tail();
    private final List<Thread> streams = new ArrayList<>();
    private final AtomicReference<@Nullable AgentEnding> cause = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread border = Thread.ofPlatform().daemon().unstarted(this::watchBorder);

    private RunningAgent(
            Task task,
            Workplace place,
            Retain retain,
            Consumer<AgentEvent> events,
            EventParser parser,
            AgentProcess process) {
        this.task = task;
        this.place = place;
        this.retain = retain;
        this.events = events;
        this.redaction = new Redaction(task.credentials()::removedFrom);
        this.parser = parser;
        this.process = process;
    }

    /**
     * Starts it. Where that fails, nothing of it runs, and the place is as before.
     *
     * @param events is told one event at a time, on threads of the run
     */
    static RunningAgent start(
            Task task, Workplace place, Retain retain, Consumer<AgentEvent> events)
            throws InterruptedException {
        place.warnings().forEach(text -> events.accept(new AgentEvent.Notice(text)));
        Invocation invocation = place.invocation();
        Launch launch = task.adapter().launch(invocation);
        EventParser parser = task.adapter().parser(invocation);
        RunningAgent agent =
                new RunningAgent(task, place, retain, events, parser, place.start(launch));
        agent.stream("input", () -> agent.write(launch.input()));
        agent.stream("output", () -> Lines.read(agent.process.output(), agent::line));
        agent.stream("error", () -> agent.errors.read(agent.process.error()));
        agent.border.start();
        return agent;
    }

    private void stream(String name, Runnable work) {
        streams.add(Thread.ofPlatform().daemon().name("agent-" + name).start(work));
    }

    private void write(String input) {
        try (OutputStream to = process.input()) {
            to.write(input.getBytes(UTF_8));
        } catch (IOException ended) {
            // It did not want to read all of it.
        }
    }

    private synchronized void line(String line) {
        if (over) {
            return;
        }
        List<AgentEvent> said = parser.line(task.credentials().removedFrom(line));
        said.forEach(this::tell);
        parser.givenUp().ifPresent(failure -> end(of(redaction.of(failure))));
    }

    private synchronized void tell(AgentEvent event) {
        redaction.of(event).ifPresent(events);
    }

    private void watchBorder() {
        try {
            while (!ended.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                place.denied().forEach(this::denied);
            }
            // What happened last.
            place.denied().forEach(this::denied);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    private void denied(EgressEvent.Denied denied) {
        Optional<String> remedy =
                denied.cure().map(rule -> task.setting("allowed_egress") + ": [+" + rule + "]");
        tell(new AgentEvent.Denied(denied.host(), denied.port(), denied.reason(), remedy));
        boolean ofAnother = denied.cure().filter(task.hosts()::covers).isPresent();
        if (!ofAnother && task.hosts().isNeeded(denied.host(), denied.port())) {
            end(
                    new AgentEnding.HostNotAllowed(
                            denied.host(),
                            denied.port(),
                            remedy.map(setting -> "Allow it: " + setting).orElse(denied.reason())));
        }
    }

    /** Ends the agent for this reason, unless there was one before. */
    private void end(AgentEnding why) {
        if (cause.compareAndSet(null, why)) {
            // Whoever notices must go on reading, or the agent could not end.
            Thread.ofPlatform().daemon().name("agent-end").start(process::cancel);
        }
    }

    @Override
    public Optional<SessionId> session() {
        return place.session();
    }

    @Override
    public void cancel() {
        cause.compareAndSet(null, new AgentEnding.Cancelled());
        process.cancel();
    }

    @Override
    public AgentResult await() throws InterruptedException {
        CommandResult result;
        try {
            result = process.await();
        } catch (InterruptedException e) {
            cause.compareAndSet(null, new AgentEnding.Cancelled());
            settleAfterInterrupt(e);
            throw e;
        } catch (CarrelException neverStarted) {
            ended.countDown();
            place.settle(retain, false);
            throw neverStarted;
        }
        return finish(result);
    }

    /** The agent is gone; what is left to do is done although somebody is in a hurry. */
    private void settleAfterInterrupt(InterruptedException cause) {
        try {
            awaitStreams();
            AgentReport report = report(INTERRUPTED);
            remember(report);
            List<ChangedFile> changes = changes();
            place.blotOut(leaks(), changes);
            place.settle(retain, !changes.isEmpty() || report.conversation().isPresent());
        } catch (CarrelException | InterruptedException failed) {
            cause.addSuppressed(failed);
        }
    }

    /**
     * Reads what is left. What was not found when the agent was ended may hold its streams open for
     * as long as it likes: nobody waits for that.
     *
     * @return whether there is such a process
     */
    private boolean awaitStreams() throws InterruptedException {
        long begin = System.nanoTime();
        boolean left = false;
        for (Thread stream : streams) {
            if (process.endsItsStreams()) {
                stream.join();
            } else {
                left |= !stream.join(LINGER.minusNanos(System.nanoTime() - begin));
            }
        }
        synchronized (this) {
            over = true;
        }
        ended.countDown();
        border.join();
        return left;
    }

    /** Keys are taken away also where nobody can tell what changed. */
    private List<ChangedFile> changes() throws InterruptedException {
        try {
            return place.changes();
        } catch (CarrelException unknown) {
            place.blotOut(leaks(), List.of());
            throw unknown;
        }
    }

    private Leaks leaks() {
        return new Leaks(task.credentials().secrets());
    }

    private AgentReport report(int exit) {
        return redaction.of(parser.finish(exit, task.credentials().removedFrom(errors.text())));
    }

    private AgentResult finish(CommandResult result) throws InterruptedException {
        boolean left = awaitStreams();
        AgentReport report = report(result.exit());
        AgentEnding ending = new Judgement(task, place).of(cause.get(), result, report);
        List<ChangedFile> changes = changes();
        List<String> notices = new ArrayList<>(place.blotOut(leaks(), changes));
        if (left) {
            notices.add(
                    "something that the agent started has left it and still runs; only a session"
                            + " (external_agent.default_sandbox_tier: 1) ends that, too");
        }
        if (ending.succeeded() && result.usage().outOfMemory()) {
            notices.add(
                    "something that the agent started was killed for its memory; give it more: "
                            + task.setting("memory"));
        }
        notices.forEach(text -> tell(new AgentEvent.Notice(text)));
        boolean resumable = report.conversation().isPresent() && Judgement.canGoOn(ending);
        if (resumable) {
            remember(report);
        }
        return new AgentResult(
                task.backend(),
                place.tier(),
                ending,
                report.text(),
                report.conversation(),
                report.model(),
                report.usage(),
                result.usage(),
                result.duration(),
                OptionalInt.of(result.exit()),
                place.session(),
                place.settle(retain, !changes.isEmpty() || resumable),
                changes,
                notices);
    }

    private void remember(AgentReport report) {
        report.conversation()
                .ifPresent(id ->
                        place.remember(
                                new Conversations.Turn(
                                        task.backend(), id, report.totals(), Instant.now())));
    }

    private AgentEnding of(AgentFailure failure) {
        return new Judgement(task, place).of(failure);
    }
}
