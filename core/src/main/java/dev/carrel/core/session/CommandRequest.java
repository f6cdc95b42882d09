package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.ResourceLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One command of a session.
 *
 * @param argv the program and its arguments
 * @param environment variables set on top of what the policy hands on
 * @param directory where it starts: a path under {@code /workspace}, a host path inside a
 *     repository, or relative to the first repository; by default the caller's current directory
 *     where that is in a repository and the session has it, else the first repository's root
 * @param streams what it reads and writes
 * @param limits what it may use, where that differs from what the session says
 * @param network what it has of the network besides what the session has
 */
public record CommandRequest(
        List<String> argv,
        Map<String, String> environment,
        Optional<String> directory,
        Streams streams,
        ResourceLimits limits,
        CommandNetwork network) {

    /** A command that may run as long as it likes. */
    public CommandRequest(
            List<String> argv,
            Map<String, String> environment,
            Optional<String> directory,
            Streams streams) {
        this(argv, environment, directory, streams, ResourceLimits.NONE, CommandNetwork.AS_SESSION);
    }

    public CommandRequest {
        argv = List.copyOf(argv);
        environment = Map.copyOf(new LinkedHashMap<>(environment));
        if (argv.isEmpty() || argv.getFirst().isEmpty()) {
            throw new InvalidInputException(
                    "there is no command to run", "Example: carrel run -- make test");
        }
        if (argv.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            throw new InvalidInputException("an argument of the command holds a NUL byte");
        }
        environment.forEach((name, value) -> {
            if (name.isEmpty()
                    || name.chars().anyMatch(CommandRequest::cannotBeInName)
                    || value.indexOf('\0') >= 0) {
                throw new InvalidInputException(
                        "'" + name + "' cannot be the name of an environment variable");
            }
        });
    }

    private static boolean cannotBeInName(int c) {
        return c == '=' || Character.isWhitespace(c) || Character.isISOControl(c);
    }

    /** A command in the first repository with the caller's streams. */
    public static CommandRequest of(String... argv) {
        return new CommandRequest(
                List.of(argv), Map.of(), Optional.empty(), new Streams.Inherited());
    }

    /** The same command with other streams. */
    public CommandRequest with(Streams other) {
        return new CommandRequest(argv, environment, directory, other, limits, network);
    }

    /** The same command, ended after this time. */
    public CommandRequest within(Duration time) {
        return new CommandRequest(
                argv, environment, directory, streams, limits.within(time), network);
    }

    /** The same command with limits of its own; those that are empty stay as they are. */
    public CommandRequest with(ResourceLimits other) {
        return new CommandRequest(
                argv, environment, directory, streams, limits.overriddenBy(other), network);
    }

    /** The same command, started in another directory. */
    public CommandRequest in(String where) {
        return new CommandRequest(argv, environment, Optional.of(where), streams, limits, network);
    }

    /** The same command with something of the network for itself. */
    public CommandRequest with(CommandNetwork other) {
        return new CommandRequest(argv, environment, directory, streams, limits, other);
    }

    /** What a command reads and writes. */
    public sealed interface Streams {
        /** The caller's three standard streams, unchanged; none of them may be a terminal. */
        record Inherited() implements Streams {}

        /** The caller's input; both outputs go to the caller's standard error. */
        record OutputToError() implements Streams {}

        /** No input; both outputs are kept in memory and found in the {@link CommandResult}. */
        record Captured() implements Streams {}

        /**
         * Three streams of the {@link SessionCommand}: whoever started the command writes its input
         * and reads its outputs while it runs.
         */
        record Piped() implements Streams {}

        /**
         * A fresh pseudo terminal in the place of the caller's own, which a command never gets.
         * With {@code input} at the terminal the command leads a session of its own and the
         * terminal controls it, so that job control works; otherwise it has no controlling
         * terminal.
         *
         * @param device the inner end; the caller keeps the outer one open until the command ended.
         *     It is given to the user that the command runs as, where that is another one
         * @param shown is told what the outer end shows
         */
        record Terminal(Path device, End input, End output, End error, ShownBytes shown)
                implements Streams {

            /** All three streams at the terminal. */
            public Terminal(Path device) {
                this(device, End.TERMINAL, End.TERMINAL, End.TERMINAL, new ShownBytes());
            }

            public Terminal {
                if (input == End.STANDARD_ERROR) {
                    throw new IllegalArgumentException("standard error cannot be read");
                }
            }
        }

        /** What one stream of a command with a terminal is connected to. */
        enum End {
            /** The terminal of its own. */
            TERMINAL,
            /** The caller's stream of the same kind, unchanged; it is not a terminal. */
            INHERITED,
            /** The caller's standard error, which is not a terminal. */
            STANDARD_ERROR
        }
    }
}
