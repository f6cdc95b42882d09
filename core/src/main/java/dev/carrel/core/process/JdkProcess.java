package dev.carrel.core.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;

/**
 * A process that the JDK started, for C libraries that cannot {@link SpawnedProcess spawn} one: two
 * more programs run before it, one of the JDK and a shell that opens its descriptors.
 */
record JdkProcess(Process process, StreamCapture captured, StreamCapture capturedError)
        implements RunningProcess {

    /** Starts it on the calling thread. */
    static JdkProcess start(Command command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Shell.stage(command));
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        builder.directory(command.directory().orElse(Path.of("/")).toFile());
        builder.redirectInput(input(command.standardInput()));
        builder.redirectOutput(output(command.standardOutput()));
        builder.redirectError(output(command.standardError()));
        Process process = builder.start();
        feed(process, command.standardInput());
        return new JdkProcess(
                process,
                StreamCapture.of(command.standardOutput(), process.getInputStream()),
                StreamCapture.of(command.standardError(), process.getErrorStream()));
    }

    private static void feed(Process process, Command.Input input) {
        if (input instanceof Command.Input.Bytes(byte[] content)) {
            Thread.ofPlatform()
                    .daemon()
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

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public OutputStream input() {
        return process.getOutputStream();
    }

    @Override
    public InputStream output() {
        return process.getInputStream();
    }

    @Override
    public InputStream error() {
        return process.getErrorStream();
    }

    @Override
    public void awaitExit() throws InterruptedException {
        process.waitFor();
    }

    @Override
    public ProcessResult await() throws InterruptedException {
        int exit = process.waitFor();
        return new ProcessResult(exit, captured.await(), capturedError.await());
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }
}
