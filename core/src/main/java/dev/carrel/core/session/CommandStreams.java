package dev.carrel.core.session;

import dev.carrel.core.limits.OutputMeter;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.session.CommandRequest.Streams;
import java.io.InputStream;
import java.util.Optional;

/**
 * The three streams of one command.
 *
 * @param outputs where it writes
 * @param input what it reads, where that is a file of the host
 */
record CommandStreams(Outputs outputs, Optional<InputFile> input) implements AutoCloseable {

    static CommandStreams of(Streams streams, boolean counted) {
        boolean file =
                InputFile.isNeeded(Streaming.of(streams, Command.of("true")).standardInput());
        return new CommandStreams(
                new Outputs(streams, counted),
                file ? Optional.of(InputFile.open()) : Optional.empty());
    }

    /** The command with them. */
    Command of(Command command) {
        Command given = outputs.of(command);
        return input.map(file -> file.of(given)).orElse(given);
    }

    /** The command runs. */
    void start(RunningProcess process, Optional<OutputMeter> meter) {
        outputs.start(process, meter);
        input.ifPresent(InputFile::start);
    }

    InputStream counted(InputStream stream) {
        return outputs.counted(stream);
    }

    boolean isOver() {
        return outputs.isOver();
    }

    ProcessResult finished(ProcessResult result) throws InterruptedException {
        return outputs.finished(result);
    }

    /** The command has ended, or did not start. */
    @Override
    public void close() {
        input.ifPresent(InputFile::close);
    }
}
