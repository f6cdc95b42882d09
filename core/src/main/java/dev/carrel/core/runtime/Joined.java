package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.Joining;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Identity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A share in a running session: while it is open, the session's mounts and network stay. Close it
 * when the command has ended; the last one's close ends the pause.
 */
public final class Joined implements AutoCloseable {

    private final FileChannel fifo;
    private final PauseRecord pause;

    Joined(FileChannel fifo, PauseRecord pause) {
        this.fifo = fifo;
        this.pause = pause;
    }

    /**
     * Opening for both directions never blocks, and never creates a file where the FIFO is missing.
     */
    static FileChannel openFifo(Path fifo) {
        try {
            return FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            throw new dev.carrel.core.failure.NotFoundException(
                    "the session was removed in the meantime", null, e);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot open " + fifo + ": " + e.getMessage(), null, e);
        }
    }

    /** How a command enters. */
    Joining joining() {
        return joining(pause.process().pid(), pause.ownNetwork());
    }

    /** How this process enters the namespaces of another. */
    public static Joining joining(long pid, boolean ownNetwork) {
        return new Joining(pid, ownNetwork, Identity.mayEnterAndSwitch());
    }

    /** The process whose namespaces a command enters. */
    public long pausePid() {
        return pause.process().pid();
    }

    /** Whether that process still runs; only a kill ends it while this is open. */
    boolean isAlive() {
        return pause.isAlive();
    }

    @Override
    public void close() {
        try {
            fifo.close();
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot leave the session: " + e.getMessage(), null, e);
        }
    }
}
