package dev.carrel.core.runtime;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A command inside a session. One thread waits for it; any thread may cancel it. */
public final class RunningCommand {

    private final SessionRuntime runtime;
    private final Joined joined;
    private final Path directory;
    private final RunningProcess process;
    private final CommandStatus status;

    private RunningCommand(
            SessionRuntime runtime, Joined joined, Path directory, RunningProcess process) {
        this.runtime = runtime;
        this.joined = joined;
        this.directory = directory;
        this.process = process;
        this.status = new CommandStatus(SandboxedCommand.statusFile(directory));
    }

    /**
     * Joins the session, starting it if need be, and starts the command.
     *
     * @param streams takes the command as it would capture its outputs, and gives it the streams it
     *     is to have
     */
    public static RunningCommand start(
            SessionRuntime runtime,
            ProcessRunner runner,
            Identity identity,
            Supplier<View> view,
            SandboxedCommand command,
            java.util.function.UnaryOperator<Command> streams)
            throws InterruptedException {
        Path directory = runtime.register();
        Joined joined = null;
        boolean started = false;
        try {
            command.writeArgs(directory);
            joined = runtime.join(view);
            RunningProcess process =
                    runner.start(
                            streams.apply(
                                    command.command(
                                            identity,
                                            joined.pausePid(),
                                            runtime.token(),
                                            directory)));
            started = true;
            return new RunningCommand(runtime, joined, directory, process);
        } finally {
            if (!started) {
                if (joined != null) {
                    joined.close();
                }
                runtime.unregister(directory);
            }
        }
    }

    /** The command's process on the host, for its streams. */
    public RunningProcess process() {
        return process;
    }

    /**
     * Waits for the end and leaves the session. An interrupt cancels the command first, so that
     * nothing of it is left when the exception arrives.
     *
     * @return the exit status and what was captured
     * @throws HostOperationException if the command was never started
     */
    public ProcessResult await() throws InterruptedException {
        try {
            ProcessResult result = awaitOrCancel();
            OptionalInt exit = status.exit();
            if (exit.isEmpty() && status.childPid().isEmpty()) {
                throw new HostOperationException(
                        "the command was not started: the session could not be entered"
                                + (result.error().length == 0 ? "" : ": " + result.errorText()),
                        "Run carrel doctor; it tries each thing that a session needs.");
            }
            return new ProcessResult(exit.orElse(result.exit()), result.output(), result.error());
        } finally {
            joined.close();
            runtime.unregister(directory);
        }
    }

    private ProcessResult awaitOrCancel() throws InterruptedException {
        try {
            return process.await();
        } catch (InterruptedException e) {
            cancel();
            throw e;
        }
    }

    /**
     * Ends the command and everything it started, and returns when it is gone. Kills the child that
     * bubblewrap named: killing bubblewrap itself in the first milliseconds of its start would
     * leave the command running for ever.
     */
    public void cancel() {
        boolean interrupted = false;
        while (process.isAlive()) {
            OptionalLong child = status.childPid();
            if (child.isPresent()) {
                ProcessHandle.of(child.getAsLong()).ifPresent(ProcessHandle::destroyForcibly);
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
