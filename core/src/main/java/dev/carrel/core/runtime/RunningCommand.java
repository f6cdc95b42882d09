package dev.carrel.core.runtime;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.limits.ProcessTree;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.posix.ProcessHold;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A command inside a session. One thread waits for it; any thread may cancel it. */
public final class RunningCommand {

    /** A process that a signal killed has this much added to the signal's number. */
    private static final int SIGNAL_BASE = 128;

    private final SessionRuntime runtime;
    private final Joined joined;
    private final Path directory;
    private final RunningProcess process;
    private final CommandStatus status;
    private @Nullable ProcessHold hold;
    private boolean over;

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
     * @param command asked for when the session runs
     * @param streams takes the command as it would capture its outputs, and gives it the streams it
     *     is to have
     */
    public static RunningCommand start(
            SessionRuntime runtime,
            ProcessRunner runner,
            Identity identity,
            ViewSource view,
            Inside command,
            java.util.function.UnaryOperator<Command> streams)
            throws InterruptedException {
        Path directory = runtime.register();
        Joined joined = null;
        boolean started = false;
        try {
            joined = runtime.join(view);
            SandboxedCommand inside = command.of(joined);
            inside.writeArgs(directory);
            RunningProcess process =
                    runner.start(
                            streams.apply(
                                    inside.command(
                                            identity,
                                            joined.joining(),
                                            runtime.token(),
                                            directory)));
            started = true;
            if (process.hasItsFiles()) {
                // There are variables in it, and keys among them.
                SandboxedCommand.forgetArgs(directory);
            }
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

    /** What is to run in a session that runs. */
    @FunctionalInterface
    public interface Inside {
        /** The command, decided for this very run of the session. */
        SandboxedCommand of(Joined joined) throws InterruptedException;
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
            // Not for its outputs: were bubblewrap killed, what it started could hold them open.
            process.awaitExit();
            CommandStatus.Told told = status.read();
            OptionalInt exit = told.exit();
            if (exit.isEmpty()) {
                endChild();
            } else {
                awaitEndOfWhatItLeft(told.childPid());
            }
            ProcessResult result = process.await();
            if (exit.isEmpty() && !killed(result)) {
                throw notStarted(result);
            }
            return new ProcessResult(exit.orElse(result.exit()), result.output(), result.error());
        } catch (InterruptedException e) {
            cancel();
            throw e;
        } finally {
            letGo();
            try {
                joined.close();
            } finally {
                runtime.unregister(directory);
            }
        }
    }

    private HostOperationException notStarted(ProcessResult result) {
        return new HostOperationException(
                "the command was not started: the session could not be entered"
                        + (result.error().length == 0 ? "" : ": " + result.errorText()),
                joined.isAlive()
                        ? "If bwrap says above that it cannot chdir, name a directory that the session has: --cwd DIR. Otherwise run carrel doctor; it tries each thing that a session needs."
                        : "The process that held the session was killed; try again.");
    }

    /** Asks every process of the command to end (SIGTERM); they need not. */
    public void terminate() {
        child().ifPresent(first -> ProcessTree.below(first.pid()).terminate());
    }

    private boolean killed(ProcessResult result) {
        return result.exit() > SIGNAL_BASE && status.childPid().isPresent();
    }

    /**
     * Ends the command and everything it started, and returns when it is gone. Kills the child that
     * bubblewrap named: killing bubblewrap itself in the first milliseconds of its start would
     * leave the command running for ever.
     */
    public void cancel() {
        boolean interrupted = false;
        // The child may live on without its monitor, where somebody killed that.
        while (process.isAlive() || seen().isPresent()) {
            killHeld();
            seen().ifPresent(Member::kill);
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

    /** None where it cannot be looked at; what is held is killed all the same. */
    private Optional<Member> seen() {
        try {
            return child();
        } catch (HostOperationException blind) {
            return Optional.empty();
        }
    }

    private synchronized void killHeld() {
        if (hold != null) {
            hold.kill();
        }
    }

    private synchronized void letGo() {
        over = true;
        if (hold != null) {
            hold.close();
        }
    }

    /**
     * Held before it is looked at, so that it is what was seen; and early, as it may have to be
     * killed when no descriptor is left to look at it.
     */
    private synchronized void hold(long pid) {
        if (hold != null || over) {
            return;
        }
        ProcessHold opened = ProcessHold.of(pid);
        if (opened.holds() && member(OptionalLong.of(pid)).isPresent()) {
            hold = opened;
        } else {
            opened.close();
        }
    }

    private void endChild() throws InterruptedException {
        if (status.childPid().isEmpty()) {
            // Killed before it could say what it had started, which then waits for it for ever.
            runtime.endUnsupervised();
        }
        for (Optional<Member> child = child(); child.isPresent(); child = child()) {
            child.get().kill();
            Thread.sleep(1);
        }
    }

    /**
     * bubblewrap tells how the program ended before the kernel has ended what that left in the
     * background; a diff that follows must not meet those.
     */
    private void awaitEndOfWhatItLeft(OptionalLong child) throws InterruptedException {
        Duration pause = Duration.ofNanos(50_000);
        while (member(child).isPresent() || isEnding(child)) {
            Thread.sleep(pause);
            pause = pause.plus(pause);
        }
    }

    private static boolean isEnding(OptionalLong child) {
        return child.isPresent() && ProcessIdentity.isEnding(child.getAsLong());
    }

    /**
     * The first process inside, once bubblewrap has named it.
     *
     * @throws HostOperationException if it cannot be read what bubblewrap told
     */
    public OptionalLong firstProcess() {
        OptionalLong first = status.childPid();
        first.ifPresent(this::hold);
        return first;
    }

    /** Only while the number is still that of a process of the session. */
    private Optional<Member> child() {
        return member(status.childPid());
    }

    private Optional<Member> member(OptionalLong pid) {
        // Most often it is gone, which is seen faster than whose it is.
        return pid.isPresent() && ProcessIdentity.of(pid.getAsLong()).isPresent()
                ? runtime.members().of(pid.getAsLong())
                : Optional.empty();
    }
}
