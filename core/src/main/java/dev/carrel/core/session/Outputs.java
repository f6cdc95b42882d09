package dev.carrel.core.session;

import dev.carrel.core.limits.OutputMeter;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
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
 * Where the outputs of one command go. Counted ones have to pass through this process; all others
 * go straight to whoever reads them.
 */
final class Outputs {

    private final Streams streams;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final ByteArrayOutputStream keptError = new ByteArrayOutputStream();
    private final List<Thread> pumps = new ArrayList<>();
    private @Nullable OutputMeter meter;

    Outputs(Streams streams) {
        this.streams = streams;
    }

    /** The command with streams that can be counted. */
    Command counted(Command command) {
        Command given = Streaming.of(streams, command);
        return given.withStreams(
                given.standardInput(), piped(given.standardOutput()), piped(given.standardError()));
    }

    private Command.Output piped(Command.Output output) {
        return switch (output) {
            case Command.Output.Inherited(),
                    Command.Output.ToStandardError(),
                    Command.Output.Captured(),
                    Command.Output.Piped() ->
                    new Command.Output.Piped();
            // A terminal takes the place of both; it is counted where it is shown.
            case Command.Output.Discarded(), Command.Output.File(_) -> output;
        };
    }

    /** Starts to count. */
    void count(RunningProcess process, OutputMeter counter) {
        meter = counter;
        if (streams instanceof Streams.Terminal terminal) {
            terminal.shown().tell(counter::count);
        }
        Command before = Streaming.of(streams, Command.of("true"));
        sink(before.standardOutput(), FileDescriptor.out, kept)
                .ifPresent(sink -> pump(counter, process.output(), sink));
        sink(before.standardError(), FileDescriptor.err, keptError)
                .ifPresent(sink -> pump(counter, process.error(), sink));
    }

    private static Optional<OutputStream> sink(
            Command.Output output, FileDescriptor own, ByteArrayOutputStream memory) {
        return switch (output) {
            case Command.Output.Inherited() -> Optional.of(new FileOutputStream(own));
            case Command.Output.ToStandardError() ->
                    Optional.of(new FileOutputStream(FileDescriptor.err));
            case Command.Output.Captured() -> Optional.of(new Bounded(memory));
            case Command.Output.Piped(), Command.Output.Discarded(), Command.Output.File(_) ->
                    Optional.empty();
        };
    }

    private void pump(OutputMeter counter, InputStream from, OutputStream to) {
        pumps.add(Thread.ofPlatform().daemon().start(() -> counter.copy(from, to)));
    }

    /** What the reader of a piped stream gets. */
    InputStream counted(InputStream stream) {
        OutputMeter counter = meter;
        return counter == null ? stream : counter.counting(stream);
    }

    /** After the end: everything is where it belongs. */
    ProcessResult finished(ProcessResult result) throws InterruptedException {
        for (Thread pump : pumps) {
            pump.join();
        }
        return meter == null
                ? result
                : new ProcessResult(result.exit(), kept.toByteArray(), keptError.toByteArray());
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
