package dev.carrel.core.session;

import static dev.carrel.core.process.StandardStream.ERROR;
import static dev.carrel.core.process.StandardStream.OUTPUT;

import dev.carrel.core.limits.OutputMeter;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.Output;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.process.StandardStream;
import dev.carrel.core.session.CommandRequest.Streams;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the outputs of one command go. What is counted passes through this process, and so does
 * what ends in a file of the host, which the command must not get; all else goes straight to
 * whoever reads it.
 */
final class Outputs {

    private final Streams streams;
    private final boolean counted;
    private final Output output;
    private final Output error;
    private final boolean joined;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final ByteArrayOutputStream keptError = new ByteArrayOutputStream();
    private final List<Thread> pumps = new ArrayList<>();
    private @Nullable OutputMeter meter;

    Outputs(Streams streams, boolean counted) {
        this.streams = streams;
        this.counted = counted;
        Command given = Streaming.of(streams, Command.of("true"));
        this.output = given.standardOutput();
        this.error = given.standardError();
        this.joined =
                passes(output, OUTPUT)
                        && passes(error, ERROR)
                        && error instanceof Output.Inherited
                        && (output instanceof Output.ToStandardError || isOneFile());
    }

    private boolean isOneFile() {
        return output instanceof Output.Inherited && OUTPUT.isSameFileAs(ERROR);
    }

    /** Whether an output goes through this process. */
    private boolean passes(Output to, StandardStream own) {
        return switch (to) {
            case Output.Inherited() -> counted || isFile(own);
            case Output.ToStandardError() -> counted || isFile(ERROR);
            case Output.Captured(), Output.Piped() -> counted;
            // A terminal takes the place of both; it is counted where it is shown.
            case Output.Discarded(), Output.File(_) -> false;
        };
    }

    private static boolean isFile(StandardStream stream) {
        return stream.kind() != StandardStream.Kind.HARMLESS;
    }

    /** The command with streams that it may have. */
    Command of(Command command) {
        Command given = Streaming.of(streams, command);
        if (joined) {
            // One pipe for both, so that the order stays as it was written.
            return given.withStreams(
                    given.standardInput(), new Output.ToStandardError(), new Output.Piped());
        }
        return given.withStreams(given.standardInput(), piped(output, OUTPUT), piped(error, ERROR));
    }

    private Output piped(Output to, StandardStream own) {
        return passes(to, own) ? new Output.Piped() : to;
    }

    /** Starts to move, and to count if there is something to count. */
    void start(RunningProcess process, Optional<OutputMeter> counter) {
        OutputMeter moving = counter.orElseGet(() -> new OutputMeter(Long.MAX_VALUE, () -> {}));
        meter = counter.orElse(null);
        if (counter.isPresent() && streams instanceof Streams.Terminal terminal) {
            terminal.shown().tell(moving::count);
        }
        if (passes(output, OUTPUT) && !joined) {
            sink(output, FileDescriptor.out, kept)
                    .ifPresent(sink -> pump(moving, process.output(), sink));
        }
        if (passes(error, ERROR)) {
            sink(error, FileDescriptor.err, keptError)
                    .ifPresent(sink -> pump(moving, process.error(), sink));
        }
    }

    private static Optional<OutputStream> sink(
            Output to, FileDescriptor own, ByteArrayOutputStream memory) {
        return switch (to) {
            case Output.Inherited() -> Optional.of(new FileOutputStream(own));
            case Output.ToStandardError() -> Optional.of(new FileOutputStream(FileDescriptor.err));
            case Output.Captured() -> Optional.of(new Bounded(memory));
            // Whoever asked for the pipe reads it.
            case Output.Piped(), Output.Discarded(), Output.File(_) -> Optional.empty();
        };
    }

    private void pump(OutputMeter counter, InputStream from, OutputStream to) {
        pumps.add(
                Thread.ofPlatform()
                        .daemon()
                        .name("carrel-output")
                        .start(() -> counter.copy(from, to)));
    }

    /** What the reader of a piped stream gets. */
    InputStream counted(InputStream stream) {
        OutputMeter counter = meter;
        return counter == null ? stream : counter.counting(stream);
    }

    /** Whether something was not handed on. */
    boolean isOver() {
        OutputMeter counter = meter;
        return counter != null && counter.isOver();
    }

    /** After the end: everything is where it belongs. */
    ProcessResult finished(ProcessResult result) throws InterruptedException {
        for (Thread pump : pumps) {
            pump.join();
        }
        return counted && streams instanceof Streams.Captured
                ? new ProcessResult(result.exit(), kept.toByteArray(), keptError.toByteArray())
                : result;
    }

    /** Memory for as much as is kept without a limit of the command's. */
    private static final class Bounded extends OutputStream {

        private final ByteArrayOutputStream memory;

        Bounded(ByteArrayOutputStream memory) {
            this.memory = memory;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            memory.write(
                    bytes, from, Math.min(length, ProcessRunner.CAPTURE_LIMIT - memory.size()));
        }
    }
}
