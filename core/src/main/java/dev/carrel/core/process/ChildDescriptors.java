package dev.carrel.core.process;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Child;
import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Entries;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.OpenFlags;
import dev.carrel.core.posix.Pipe;
import dev.carrel.core.posix.Spawn;
import dev.carrel.core.process.Command.HandedOver;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a process that is about to start will have open, and this process's ends of its pipes. All
 * of it is closed on exec here, so that no other process gets it. Closing this closes what belongs
 * to the child.
 */
final class ChildDescriptors implements AutoCloseable {

    private static final Path NULL = Path.of("/dev/null");
    private static final int NONE = -1;
    private static final int ANYBODY = 0666;
    private static final int WRITTEN_FROM_START =
            OpenFlags.WRITE_ONLY | OpenFlags.CREATE | OpenFlags.TRUNCATE;

    /** Numbers below may be ones that the process is given. */
    private static final int FIRST_OF_OURS = 10;

    private final List<Spawn.Given> given = new ArrayList<>();
    private final Set<Integer> open = new HashSet<>();
    private byte[] fed = new byte[0];
    private OutputStream input = OutputStream.nullOutputStream();
    private final InputStream[] outputs = {
        InputStream.nullInputStream(), InputStream.nullInputStream()
    };
    private final int[] pumped = {NONE, NONE, NONE};

    ChildDescriptors(Command command) throws IOException {
        boolean made = false;
        try {
            input(command.standardInput());
            output(command.standardOutput(), 1);
            output(command.standardError(), 2);
            command.handedOver().forEach(this::handOver);
            if (command.standardOutput() instanceof Command.Output.ToStandardError) {
                // Whatever kind of file that is.
                given.add(new Spawn.Given(2, 1));
            }
            made = true;
        } finally {
            if (!made) {
                close();
            }
        }
    }

    List<Spawn.Given> given() {
        return given;
    }

    /** Where this process writes, if the child's input is a pipe for the caller. */
    OutputStream input() {
        return input;
    }

    InputStream output() {
        return outputs[0];
    }

    InputStream error() {
        return outputs[1];
    }

    /** What moves and keeps the rest; it takes over those ends. */
    Pump pump(Child child, int watch) {
        for (int end : pumped) {
            open.remove(end);
        }
        return new Pump(child, watch, pumped[0], fed, pumped[1], pumped[2]);
    }

    private void input(Command.Input from) throws IOException {
        switch (from) {
            case Command.Input.Inherited() -> {}
            case Command.Input.Nothing() -> open(NULL, OpenFlags.READ_ONLY, 0);
            case Command.Input.File(Path path) -> open(path, OpenFlags.READ_ONLY, 0);
            case Command.Input.Bytes(byte[] content) -> {
                fed = content;
                pumped[0] = pipeTo(0);
                Descriptors.stopWaiting(pumped[0]);
            }
            case Command.Input.Piped() ->
                    input = new BufferedOutputStream(new FileOutputStream(magicLink(pipeTo(0))));
        }
    }

    private void output(Command.Output to, int number) throws IOException {
        switch (to) {
            case Command.Output.Inherited(), Command.Output.ToStandardError() -> {}
            case Command.Output.Discarded() -> open(NULL, OpenFlags.WRITE_ONLY, number);
            case Command.Output.File(Path path) -> open(path, WRITTEN_FROM_START, number);
            case Command.Output.Captured() -> pumped[number] = pipeFrom(number);
            case Command.Output.Piped() ->
                    outputs[number - 1] =
                            new BufferedInputStream(
                                    new FileInputStream(magicLink(pipeFrom(number))));
        }
    }

    private void handOver(HandedOver file) {
        int flags =
                switch (file.access()) {
                    case READ -> OpenFlags.READ_ONLY;
                    case WRITE -> WRITTEN_FROM_START;
                    case READ_WRITE -> OpenFlags.READ_WRITE;
                };
        open(file.path(), flags | OpenFlags.NO_CONTROLLING_TERMINAL, file.descriptor());
    }

    private void open(Path path, int flags, int number) {
        byte[] name = SpawnedProcess.bytes(path.toString());
        give(opened(Entries.open(Entries.WORKING_DIRECTORY, name, flags, ANYBODY), path), number);
    }

    /** By a number that no process is given. */
    private void give(int descriptor, int number) {
        int from =
                descriptor >= FIRST_OF_OURS
                        ? descriptor
                        : opened(Descriptors.copyAbove(descriptor, FIRST_OF_OURS), "a copy");
        given.add(new Spawn.Given(from, number));
    }

    private int opened(int descriptor, Object what) {
        if (descriptor < 0) {
            throw new HostOperationException(
                    "cannot open " + what + ": " + Errno.describe(-descriptor));
        }
        open.add(descriptor);
        return descriptor;
    }

    private int pipeTo(int number) {
        Pipe pipe = pipe();
        give(pipe.reading(), number);
        return pipe.writing();
    }

    private int pipeFrom(int number) {
        Pipe pipe = pipe();
        give(pipe.writing(), number);
        return pipe.reading();
    }

    private Pipe pipe() {
        Pipe pipe = Pipe.open();
        opened(pipe.reading(), "a pipe");
        opened(pipe.writing(), "a pipe");
        return pipe;
    }

    /** Opening it is how the JDK gets a stream on a descriptor that it did not open itself. */
    private static String magicLink(int descriptor) {
        return "/proc/self/fd/" + descriptor;
    }

    @Override
    public void close() {
        open.forEach(Descriptors::close);
        open.clear();
    }
}
