package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.runtime.RunningCommand;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A command that runs in a session. One thread must {@link #await} it, which also frees what it
 * holds; any thread may cancel it.
 */
public final class SessionCommand {

    private static final int TIMED_OUT = 124;

    private final RunningCommand running;
    private final Bookkeeping bookkeeping;
    private final Instant started = Instant.now();
    private final long clock = System.nanoTime();
    private final AtomicReference<CommandResult.Ending> ending =
            new AtomicReference<>(CommandResult.Ending.EXITED);
    private final Thread deadline;

    /** What is noted when a command has ended. */
    interface Bookkeeping {
        /** Called once, whatever happened. */
        void ended(int exit, Duration duration);

        /** What the user may want to know of this exit. */
        Optional<String> hint(int exit);

        /** What it met at the border of its network, before {@link #ended}. */
        NetworkResult network();
    }

    SessionCommand(RunningCommand running, Optional<Duration> within, Bookkeeping bookkeeping) {
        this.running = running;
        this.bookkeeping = bookkeeping;
        this.deadline = Thread.ofVirtual().unstarted(() -> cancelAfter(within));
        if (within.isPresent()) {
            deadline.start();
        }
    }

    /** Where a command with {@link CommandRequest.Streams.Piped} reads from; close it to end it. */
    public OutputStream input() {
        return process().input();
    }

    /** What a command with {@link CommandRequest.Streams.Piped} writes; read it to its end. */
    public InputStream output() {
        return process().output();
    }

    /** The messages of a command with {@link CommandRequest.Streams.Piped}; to be read, too. */
    public InputStream error() {
        return process().error();
    }

    private RunningProcess process() {
        return running.process();
    }

    /**
     * Ends the command and everything it started, and returns when it is gone. Does nothing once it
     * has ended.
     */
    public void cancel() {
        end(CommandResult.Ending.CANCELLED);
    }

    private void end(CommandResult.Ending why) {
        if (process().isAlive()) {
            ending.compareAndSet(CommandResult.Ending.EXITED, why);
        }
        running.cancel();
    }

    private void cancelAfter(Optional<Duration> within) {
        try {
            Thread.sleep(within.orElseThrow());
            end(CommandResult.Ending.TIMED_OUT);
        } catch (InterruptedException e) {
            // It ended in time.
        }
    }

    /**
     * Waits for the end. An interrupt cancels the command first, so that nothing of it is left when
     * the exception arrives.
     *
     * @throws HostOperationException if it turns out that it was never started
     */
    public CommandResult await() throws InterruptedException {
        int exit = SessionCommands.FAILED;
        try {
            ProcessResult result = running.await();
            CommandResult.Ending how = ending.get();
            exit = how == CommandResult.Ending.TIMED_OUT ? TIMED_OUT : result.exit();
            return new CommandResult(
                    exit,
                    how,
                    started,
                    Duration.ofNanos(System.nanoTime() - clock),
                    result.output(),
                    result.error(),
                    bookkeeping.hint(exit),
                    bookkeeping.network());
        } finally {
            deadline.interrupt();
            bookkeeping.ended(exit, Duration.ofNanos(System.nanoTime() - clock));
        }
    }
}
