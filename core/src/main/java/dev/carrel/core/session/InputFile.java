package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.Pipe;
import dev.carrel.core.posix.Waiting;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.StandardStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The caller's standard input where it is a file: a command that had the file itself could write
 * it. It gets a pipe in which this process puts what is in the file. What the command did not read
 * is there for the next program: the position in the file is put back to where the command stopped.
 */
final class InputFile implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int CHUNK = 16 * 1024;

    private final Pipe pipe = Pipe.open();
    private final FileInputStream file = new FileInputStream(FileDescriptor.in);
    private final Thread feeder =
            Thread.ofPlatform().daemon().name("carrel-input").unstarted(this::feed);
    private volatile boolean ended;
    private long fed;
    private long begin = -1;

    private InputFile() {
        if (pipe.reading() < 0) {
            throw new HostOperationException(
                    "cannot make a pipe: " + Errno.describe(-pipe.reading()));
        }
        Descriptors.stopWaiting(pipe.writing());
    }

    /**
     * Whether the input has to go through this process.
     *
     * @throws InvalidInputException if it is a directory, from which everything can be reached
     */
    static boolean isNeeded(Command.Input input) {
        if (!(input instanceof Command.Input.Inherited)) {
            return false;
        }
        StandardStream.Kind kind = StandardStream.INPUT.kind();
        if (kind == StandardStream.Kind.DIRECTORY) {
            throw new InvalidInputException(
                    "standard input is a directory, from which a command could reach the host",
                    "carrel run -- CMD </dev/null");
        }
        return kind == StandardStream.Kind.FILE;
    }

    static InputFile open() {
        return new InputFile();
    }

    /** The command with the pipe for its input. */
    Command of(Command command) {
        List<HandedOver> files = new ArrayList<>(command.handedOver());
        // Not /proc/self: a shell may have to open it.
        Path end = Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + pipe.reading());
        files.add(new HandedOver(0, end, HandedOver.Access.READ));
        return command.withStreams(
                        new Command.Input.Nothing(),
                        command.standardOutput(),
                        command.standardError())
                .handingOver(files);
    }

    /** Begins to feed. */
    void start() {
        begin = position();
        feeder.start();
    }

    private long position() {
        try {
            return file.getChannel().position();
        } catch (IOException e) {
            return -1; // a pipe with a name
        }
    }

    private void feed() {
        byte[] buffer = new byte[CHUNK];
        try {
            int count;
            while (!ended && (count = file.read(buffer)) >= 0 && write(buffer, count)) {
                fed += count;
            }
        } catch (IOException e) {
            // What cannot be read is the end.
        } finally {
            Descriptors.close(pipe.writing());
        }
    }

    /** False where the command has ended before it was all written. */
    private boolean write(byte[] buffer, int count) {
        int written = 0;
        while (written < count && !ended) {
            int now = Descriptors.write(pipe.writing(), buffer, written, count - written);
            if (now == -Errno.EAGAIN) {
                Waiting.poll(LOOK, new int[] {pipe.writing()}, new int[] {Waiting.WRITABLE});
            } else if (now < 0) {
                break;
            } else {
                written += now;
            }
        }
        if (written < count) {
            fed += written;
        }
        return written == count;
    }

    /** After the end of the command. */
    @Override
    public void close() {
        ended = true;
        if (feeder.getState() == Thread.State.NEW) {
            Descriptors.close(pipe.writing());
        } else if (begin >= 0) {
            finish();
        }
        Descriptors.close(pipe.reading());
    }

    private void finish() {
        boolean interrupted = false;
        while (feeder.isAlive()) {
            try {
                feeder.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        try {
            file.getChannel().position(begin + fed - unread());
        } catch (IOException e) {
            // It was read as any pipe is, then.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nobody writes any more, so this comes to its end. */
    private long unread() {
        byte[] buffer = new byte[CHUNK];
        long rest = 0;
        int count;
        while ((count = Descriptors.read(pipe.reading(), buffer, 0, buffer.length)) > 0) {
            rest += count;
        }
        return rest;
    }
}
