package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.runtime.RunningCommand;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A command that runs in a session. One thread must {@link #await} it, which also frees what it
 * holds; any thread may cancel it.
 */
public final class SessionCommand {

    private static final int TIMED_OUT = 124;
    private static final int KILLED = 137;

    private final RunningCommand running;
    private final Supervision supervision;
    private final CommandStreams streams;
    private final Bookkeeping bookkeeping;
    private final Instant started = Instant.now();
    private final long clock = System.nanoTime();

    /** What is noted when a command has ended. */
    interface Bookkeeping {
        /** Called once, whatever happened. */
        void ended(int exit, Duration duration);

        /** What the user may want to know of this exit. */
        Optional<String> hint(int exit);

        /** What it met at the border of its network, before {@link #ended}. */
        NetworkResult network();
    }

    SessionCommand(
            RunningCommand running,
            Supervision supervision,
            CommandStreams streams,
            Bookkeeping bookkeeping) {
        this.running = running;
        this.supervision = supervision;
        this.streams = streams;
        this.bookkeeping = bookkeeping;
    }

    /** Where a command with {@link CommandRequest.Streams.Piped} reads from; close it to end it. */
    public OutputStream input() {
        return process().input();
    }

    /** What a command with {@link CommandRequest.Streams.Piped} writes; read it to its end. */
    public InputStream output() {
        return streams.counted(process().output());
    }

    /** The messages of a command with {@link CommandRequest.Streams.Piped}; to be read, too. */
    public InputStream error() {
        return streams.counted(process().error());
    }

    private RunningProcess process() {
        return running.process();
    }

    /**
     * Ends the command and everything it started, and returns when it is gone. Does nothing once it
     * has ended.
     */
    public void cancel() {
        supervision.end(new Ending.Cancelled());
    }

    /**
     * Waits for the end. An interrupt cancels the command first, so that nothing of it is left when
     * the exception arrives.
     *
     * @throws HostOperationException if it turns out that it was never started
     */
    public CommandResult await() throws InterruptedException {
        int exit = SessionCommands.FAILED;
        try (supervision;
                streams) {
            ProcessResult result = streams.finished(running.await());
            Usage usage = supervision.usage();
            Ending how = supervision.ending(result.exit(), usage, streams.isOver());
            exit = exit(how, result.exit());
            return new CommandResult(
                    exit,
                    how,
                    started,
                    Duration.ofNanos(System.nanoTime() - clock),
                    usage,
                    supervision.mechanism(),
                    result.output(),
                    result.error(),
                    bookkeeping.hint(exit),
                    bookkeeping.network());
        } finally {
            bookkeeping.ended(exit, Duration.ofNanos(System.nanoTime() - clock));
        }
    }

    /** What lost a part of its output has not succeeded, even if it came to its end meanwhile. */
    private static int exit(Ending how, int reported) {
        return switch (how) {
            case Ending.TimedOut _ -> TIMED_OUT;
            case Ending.TooMuchOutput _ -> KILLED;
            case Ending.Exited _,
                    Ending.Signalled _,
                    Ending.Cancelled _,
                    Ending.OutOfMemory _,
                    Ending.TooManyProcesses _,
                    Ending.DiskFull _,
                    Ending.Unwatched _ ->
                    reported;
        };
    }
}
