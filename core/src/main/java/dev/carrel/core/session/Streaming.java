package dev.carrel.core.session;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.Command.HandedOver.Access;
import dev.carrel.core.session.CommandRequest.Streams;
import dev.carrel.core.session.CommandRequest.Streams.End;
import java.util.ArrayList;
import java.util.List;

/** The streams of a request as those of a host command. Pure. */
final class Streaming {

    private Streaming() {}

    /** Whether the command leads a session of its own that the terminal controls. */
    static boolean ownsTerminal(Streams streams) {
        return streams instanceof Streams.Terminal terminal && terminal.input() == End.TERMINAL;
    }

    static Command of(Streams streams, Command command) {
        return switch (streams) {
            case Streams.Inherited() ->
                    command.withStreams(
                            new Command.Input.Inherited(),
                            new Command.Output.Inherited(),
                            new Command.Output.Inherited());
            case Streams.OutputToError() ->
                    command.withStreams(
                            new Command.Input.Inherited(),
                            new Command.Output.ToStandardError(),
                            new Command.Output.Inherited());
            case Streams.Captured() -> command;
            case Streams.Piped() ->
                    command.withStreams(
                            new Command.Input.Piped(),
                            new Command.Output.Piped(),
                            new Command.Output.Piped());
            case Streams.Terminal terminal -> terminal(terminal, command);
        };
    }

    /** The terminal is opened anew for both directions, as a login would have it. */
    private static Command terminal(Streams.Terminal terminal, Command command) {
        List<HandedOver> files = new ArrayList<>(command.handedOver());
        if (terminal.input() == End.TERMINAL) {
            files.add(new HandedOver(0, terminal.device(), Access.READ_WRITE));
        }
        if (terminal.output() == End.TERMINAL) {
            files.add(new HandedOver(1, terminal.device(), Access.READ_WRITE));
        }
        if (terminal.error() == End.TERMINAL) {
            files.add(new HandedOver(2, terminal.device(), Access.READ_WRITE));
        }
        return command.withStreams(
                        terminal.input() == End.TERMINAL
                                ? new Command.Input.Nothing()
                                : new Command.Input.Inherited(),
                        output(terminal.output()),
                        output(terminal.error()))
                .handingOver(files);
    }

    private static Command.Output output(End end) {
        return switch (end) {
            case TERMINAL -> new Command.Output.Discarded();
            case INHERITED -> new Command.Output.Inherited();
            case STANDARD_ERROR -> new Command.Output.ToStandardError();
        };
    }
}
