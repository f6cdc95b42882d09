package dev.carrel.core.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One host command, never a shell string.
 *
 * @param argv the program and its arguments; the program is absolute or looked up in the PATH of
 *     this process
 * @param environment the whole environment, nothing is added
 * @param directory where it starts; empty means the root directory
 * @param standardInput what it reads
 * @param standardOutput where its output goes
 * @param standardError where its messages go
 * @param handedOver files that it finds open, by descriptor number
 * @param bounds what it and all it starts cannot get beyond
 */
public record Command(
        List<String> argv,
        Map<String, String> environment,
        Optional<Path> directory,
        Input standardInput,
        Output standardOutput,
        Output standardError,
        List<HandedOver> handedOver,
        Optional<Bounds> bounds) {

    /** The smallest environment that host tools need: no secrets, English messages. */
    public static final Map<String, String> BARE_ENVIRONMENT =
            Map.of(
                    "PATH",
                    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                    "LC_ALL",
                    "C");

    public Command {
        argv = List.copyOf(argv);
        environment = Map.copyOf(new LinkedHashMap<>(environment));
        handedOver = List.copyOf(handedOver);
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("a command needs a program");
        }
        for (String argument : argv) {
            if (argument.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("an argument holds a NUL byte");
            }
        }
    }

    /** A command with the bare environment, no input, and both outputs captured. */
    public static Command of(String... argv) {
        return of(List.of(argv));
    }

    /** A command with the bare environment, no input, and both outputs captured. */
    public static Command of(List<String> argv) {
        return new Command(
                argv,
                BARE_ENVIRONMENT,
                Optional.empty(),
                new Input.Nothing(),
                new Output.Captured(),
                new Output.Captured(),
                List.of(),
                Optional.empty());
    }

    /** The same command behind these words, which start it. */
    public Command behind(List<String> words) {
        List<String> all = new ArrayList<>(words);
        all.addAll(argv);
        return new Command(
                all,
                environment,
                directory,
                standardInput,
                standardOutput,
                standardError,
                handedOver,
                bounds);
    }

    /** The same command in another directory. */
    public Command in(Path where) {
        return new Command(
                argv,
                environment,
                Optional.of(where),
                standardInput,
                standardOutput,
                standardError,
                handedOver,
                bounds);
    }

    /** The same command with another whole environment. */
    public Command withEnvironment(Map<String, String> whole) {
        return new Command(
                argv,
                whole,
                directory,
                standardInput,
                standardOutput,
                standardError,
                handedOver,
                bounds);
    }

    /** The same command with one more variable. */
    public Command withVariable(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return withEnvironment(more);
    }

    /** The same command with other streams. */
    public Command withStreams(Input input, Output output, Output error) {
        return new Command(argv, environment, directory, input, output, error, handedOver, bounds);
    }

    /** The same command that reads these bytes. */
    public Command withInput(byte[] bytes) {
        return withStreams(new Input.Bytes(bytes), standardOutput, standardError);
    }

    /** The same command with files handed over by descriptor. */
    public Command handingOver(List<HandedOver> files) {
        return new Command(
                argv,
                environment,
                directory,
                standardInput,
                standardOutput,
                standardError,
                files,
                bounds);
    }

    /** The same command with bounds that it cannot leave. */
    public Command within(Bounds other) {
        return new Command(
                argv,
                environment,
                directory,
                standardInput,
                standardOutput,
                standardError,
                handedOver,
                Optional.of(other));
    }

    /** For people: quoted so that a shell would read it back. */
    @Override
    public String toString() {
        return Shell.quote(argv);
    }

    /** The same command without bounds. */
    Command unbounded() {
        return new Command(
                argv,
                environment,
                directory,
                standardInput,
                standardOutput,
                standardError,
                handedOver,
                Optional.empty());
    }

    /**
     * What a process and all that it starts cannot get beyond. There are no core dumps in any case.
     *
     * @param groups control groups that it is in from its first moment on
     * @param data the most data of each process, in bytes
     * @param file the size to which a file may be written, in bytes
     */
    public record Bounds(List<Group> groups, OptionalLong data, OptionalLong file) {

        /** Only the core dumps. */
        public static final Bounds NONE =
                new Bounds(List.of(), OptionalLong.empty(), OptionalLong.empty());

        public Bounds {
            groups = List.copyOf(groups);
        }

        /**
         * A control group.
         *
         * @param enter the file that takes whoever writes {@code 0} to it into the group
         * @param leave where single threads can be in groups of their own, the file that takes one
         *     back to where this process is
         */
        public record Group(Path enter, Optional<Path> leave) {}
    }

    /** What a command reads. */
    public sealed interface Input {
        /** The caller's own standard input. */
        record Inherited() implements Input {}

        /** Nothing: /dev/null. */
        record Nothing() implements Input {}

        /** A host file. */
        record File(Path path) implements Input {}

        /** These bytes, then the end. */
        @SuppressWarnings(
                "ArrayRecordComponent") // compared by nobody; a copy per command would double large
        // inputs
        record Bytes(byte[] content) implements Input {}

        /** A stream that the caller writes through {@link RunningProcess#input()}. */
        record Piped() implements Input {}
    }

    /** Where output goes. */
    public sealed interface Output {
        /** The caller's own stream of the same kind. */
        record Inherited() implements Output {}

        /** The caller's standard error. */
        record ToStandardError() implements Output {}

        /** Away: /dev/null. */
        record Discarded() implements Output {}

        /** A host file, truncated. */
        record File(Path path) implements Output {}

        /**
         * Kept in memory up to {@link ProcessRunner#CAPTURE_LIMIT} bytes; the rest is read and
         * dropped.
         */
        record Captured() implements Output {}

        /** A stream that the caller reads through {@link RunningProcess}. */
        record Piped() implements Output {}
    }

    /**
     * A file that the command finds open.
     *
     * @param descriptor 0 to 9, for a shell may have to open it, which knows single digits only; 0
     *     to 2 replace a standard stream
     */
    public record HandedOver(int descriptor, Path path, Access access) {
        public HandedOver {
            if (descriptor < 0 || descriptor > 9) {
                throw new IllegalArgumentException(
                        "descriptor " + descriptor + " cannot be handed over");
            }
        }

        /** How a handed-over file is opened. */
        public enum Access {
            /** Read from the start. */
            READ,
            /** Written from the start, created if missing. */
            WRITE,
            /** Both, as a terminal's streams are. */
            READ_WRITE
        }
    }
}
