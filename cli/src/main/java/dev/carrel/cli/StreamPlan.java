package dev.carrel.cli;

import dev.carrel.core.process.StandardStream;
import dev.carrel.core.process.TerminalRelay.Keyboard;
import dev.carrel.core.session.CommandRequest.Streams;
import dev.carrel.core.session.CommandRequest.Streams.End;
import dev.carrel.core.session.ShownBytes;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * What the streams of a command are connected to. Each that is a terminal at the caller's becomes a
 * fresh terminal of the command's own; each other is handed on as it is, so that its bytes do not
 * change.
 *
 * @param keyboard whether keys are taken one by one: not in a pipeline, whose other programs use
 *     the same terminal
 * @param shownOn the caller's stream that shows what comes from the fresh terminal
 */
record StreamPlan(End input, End output, End error, Keyboard keyboard, StandardStream shownOn) {

    /** Everything as the caller has it. */
    static StreamPlan of(Predicate<StandardStream> terminal) {
        boolean output = terminal.test(StandardStream.OUTPUT);
        boolean error = terminal.test(StandardStream.ERROR);
        return new StreamPlan(
                end(terminal.test(StandardStream.INPUT)),
                end(output),
                end(error),
                keyboard(terminal),
                output
                        ? StandardStream.OUTPUT
                        : error ? StandardStream.ERROR : StandardStream.INPUT);
    }

    /** The same with all output on standard error: standard output is for a report. */
    static StreamPlan withFreeOutput(Predicate<StandardStream> terminal) {
        boolean error = terminal.test(StandardStream.ERROR);
        return new StreamPlan(
                end(terminal.test(StandardStream.INPUT)),
                error ? End.TERMINAL : End.STANDARD_ERROR,
                end(error),
                keyboard(terminal),
                error ? StandardStream.ERROR : StandardStream.INPUT);
    }

    private static End end(boolean terminal) {
        return terminal ? End.TERMINAL : End.INHERITED;
    }

    private static Keyboard keyboard(Predicate<StandardStream> terminal) {
        if (!terminal.test(StandardStream.INPUT)) {
            return Keyboard.NONE;
        }
        return terminal.test(StandardStream.OUTPUT) ? Keyboard.RAW : Keyboard.LINES;
    }

    boolean needsTerminal() {
        return input == End.TERMINAL || output == End.TERMINAL || error == End.TERMINAL;
    }

    Streams atTerminal(Path device, ShownBytes shown) {
        return new Streams.Terminal(device, input, output, error, shown);
    }

    Streams withoutTerminal() {
        return output == End.STANDARD_ERROR ? new Streams.OutputToError() : new Streams.Inherited();
    }
}
