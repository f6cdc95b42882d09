package dev.carrel.core.process;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.TerminalModes;
import dev.carrel.core.posix.Terminals;
import dev.carrel.core.posix.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * A fresh pseudo terminal: a command gets the inner end by its {@link #device}, its owner reads
 * what is shown and writes what is typed at the outer end.
 *
 * <p>The inner end is also held open here, since the outer end of a terminal that nobody has open
 * reports its end. Reading and writing may happen on two threads; {@link #close} only after both.
 * Closing the outer end hangs up on whoever still has the inner one.
 *
 * <p>Waiting happens in poll with a descriptor that wakes it: a thread that sits in a blocking
 * native read keeps the JVM's exit waiting.
 */
public final class PseudoTerminal implements AutoCloseable {

    private static final Duration FOREVER = Duration.ofHours(1);
    private static final Duration LAST_WORDS = Duration.ofMillis(500);

    private final int outer;
    private final int inner;
    private final int wakeUp;
    private final Path device;
    private volatile boolean finished;

    private PseudoTerminal(int outer, int inner, int wakeUp, Path device) {
        this.outer = outer;
        this.inner = inner;
        this.wakeUp = wakeUp;
        this.device = device;
    }

    /**
     * Opens one with the modes that Linux gives a new terminal.
     *
     * @throws HostOperationException if the system has no more; nothing is left behind
     */
    public static PseudoTerminal open() {
        int outer = checked(Terminals.openOuter());
        int inner = -1;
        try {
            String path =
                    Terminals.innerPath(outer)
                            .orElseThrow(() ->
                                    new HostOperationException(
                                            "cannot open a pseudo terminal: its name is not known",
                                            "mount devpts at /dev/pts"));
            inner = checked(Terminals.open(path));
            int wakeUp = checked(Waiting.wakeUp());
            return new PseudoTerminal(outer, inner, wakeUp, Path.of(path));
        } catch (HostOperationException failed) {
            if (inner >= 0) {
                Descriptors.close(inner);
            }
            Descriptors.close(outer);
            throw failed;
        }
    }

    /** The path of the inner end. It belongs to this process's user. */
    public Path device() {
        return device;
    }

    /** Sets the size; the command in the foreground is told by SIGWINCH. */
    public void resize(TerminalSize size) {
        checked(Terminals.resize(outer, size.rows(), size.columns()));
    }

    /** The size, 0 by 0 before it was set. */
    public TerminalSize size() {
        int size = checked(Terminals.size(outer));
        return new TerminalSize(size >>> 16, size & 0xffff);
    }

    void setModes(TerminalModes modes) {
        checked(Terminals.setModes(outer, modes));
    }

    void changeModes(UnaryOperator<TerminalModes> change) {
        setModes(change.apply(modes()));
    }

    TerminalModes modes() {
        return Terminals.modes(outer).orElseThrow(() -> broken(Errno.ENOTTY));
    }

    /**
     * What was shown, at least one byte; -1 at the end: after {@link #finish}, once nothing more is
     * coming.
     */
    public int read(byte[] into) {
        while (true) {
            int count = Descriptors.read(outer, into, 0, into.length);
            if (count > 0) {
                return count;
            }
            if (count == -Errno.EIO || count == 0) {
                return -1; // the last inner end was closed
            }
            if (count != -Errno.EAGAIN) {
                throw broken(-count);
            }
            if (!awaitOutput()) {
                return -1;
            }
        }
    }

    private boolean awaitOutput() {
        if (!finished) {
            Waiting.poll(
                    FOREVER,
                    new int[] {outer, wakeUp},
                    new int[] {Waiting.READABLE, Waiting.READABLE});
            return true;
        }
        // At once, but for a process that outlives the command with the terminal still open.
        int[] ready = Waiting.poll(LAST_WORDS, new int[] {outer}, new int[] {Waiting.READABLE});
        return ready[0] != 0;
    }

    /** Types these bytes; waits while the terminal takes no more, unless it is finished. */
    public void write(byte[] bytes, int count) {
        int written = 0;
        while (written < count && !finished) {
            int now = Descriptors.write(outer, bytes, written, count - written);
            if (now > 0) {
                written += now;
            } else if (now == -Errno.EAGAIN) {
                Waiting.poll(
                        FOREVER,
                        new int[] {outer, wakeUp},
                        new int[] {Waiting.WRITABLE, Waiting.READABLE});
            } else {
                throw broken(-now);
            }
        }
    }

    /**
     * Says that the command has ended: {@link #read} answers the rest and then the end, {@link
     * #write} writes no more.
     */
    public void finish() {
        synchronized (this) {
            if (finished) {
                return;
            }
            finished = true;
            // Without it the outer end reports its end as soon as the last process closed its own.
            Descriptors.close(inner);
        }
        Waiting.wake(wakeUp);
    }

    /** Becomes readable with {@link #finish}. */
    int wakeUp() {
        return wakeUp;
    }

    boolean isFinished() {
        return finished;
    }

    @Override
    public void close() {
        finish();
        Descriptors.close(outer);
        Descriptors.close(wakeUp);
    }

    private static int checked(int result) {
        if (result < 0) {
            throw broken(-result);
        }
        return result;
    }

    private static HostOperationException broken(int errno) {
        return new HostOperationException(
                "a pseudo terminal does not work: " + Errno.describe(errno));
    }
}
