package dev.carrel.core.process;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The real runner. Every process is forked from an immortal platform thread: a parent-death signal
 * follows the thread that forked, and a virtual thread's carrier retires after a while. There are
 * two, since a fork is mostly waiting, and what is started at the same time should not queue.
 */
public final class HostProcessRunner implements ProcessRunner {

    /** A runner; all runners share the forking threads. */
    public HostProcessRunner() {}

    /** For the whole process; daemons, so that they never hold the JVM. */
    private static final ExecutorService FORKER =
            Executors.newFixedThreadPool(
                    2, Thread.ofPlatform().daemon().name("carrel-fork-", 1).factory());

    @Override
    public RunningProcess start(Command command) {
        ProcessBuilder builder = new ProcessBuilder(Shell.stage(command));
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        builder.directory(command.directory().orElse(Path.of("/")).toFile());
        builder.redirectInput(input(command.standardInput()));
        builder.redirectOutput(output(command.standardOutput()));
        builder.redirectError(output(command.standardError()));
        Process process = fork(builder, command);
        feed(process, command.standardInput());
        return new HostProcess(
                process,
                StreamCapture.of(command.standardOutput(), process.getInputStream()),
                StreamCapture.of(command.standardError(), process.getErrorStream()));
    }

    private static Process fork(ProcessBuilder builder, Command command) {
        try {
            // Not interruptible: the process starts in any case, and somebody must know it to end
            // it. An interrupt is noticed by whoever waits for the process.
            return CompletableFuture.supplyAsync(() -> startNow(builder, command), FORKER).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HostOperationException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static Process startNow(ProcessBuilder builder, Command command) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot start " + command.argv().getFirst() + ": " + e.getMessage(), null, e);
        }
    }

    private static void feed(Process process, Command.Input input) {
        if (input instanceof Command.Input.Bytes(byte[] content)) {
            Thread.ofVirtual()
                    .start(() -> {
                        try (OutputStream stream = process.getOutputStream()) {
                            stream.write(content);
                        } catch (IOException e) {
                            // The command closed its input early; its exit status tells whether
                            // that was an error.
                        }
                    });
        }
    }

    private static Redirect input(Command.Input input) {
        return switch (input) {
            case Command.Input.Inherited() -> Redirect.INHERIT;
            case Command.Input.Nothing() -> Redirect.from(Path.of("/dev/null").toFile());
            case Command.Input.File(Path path) -> Redirect.from(path.toFile());
            case Command.Input.Bytes _, Command.Input.Piped _ -> Redirect.PIPE;
        };
    }

    private static Redirect output(Command.Output output) {
        return switch (output) {
            case Command.Output.Inherited() -> Redirect.INHERIT;
            case Command.Output.ToStandardError(), Command.Output.Discarded() -> Redirect.DISCARD;
            case Command.Output.File(Path path) -> Redirect.to(path.toFile());
            case Command.Output.Captured(), Command.Output.Piped() -> Redirect.PIPE;
        };
    }
}
