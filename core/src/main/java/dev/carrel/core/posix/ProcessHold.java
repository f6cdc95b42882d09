package dev.carrel.core.posix;

import java.lang.foreign.Arena;

/**
 * A process that can be killed by whoever holds it, whatever became of its number, and even where
 * no further descriptor can be opened. Safe for many threads.
 */
public final class ProcessHold implements AutoCloseable {

    // pidfd_open(2) and pidfd_send_signal(2); the numbers are the same on all machines.
    private static final int OPEN_PROCESS = 434;
    private static final int SEND_SIGNAL = 424;
    private static final int KILL_SIGNAL = 9;

    private int descriptor;

    private ProcessHold(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Holds the process that has this number now; if it cannot, everything about it does nothing.
     */
    public static ProcessHold of(long pid) {
        try (Arena arena = Arena.ofConfined()) {
            return new ProcessHold(SystemCall.FUNCTION.call(arena, OPEN_PROCESS, pid, 0, 0));
        }
    }

    /** Whether there is something to kill; it may have ended. */
    public synchronized boolean holds() {
        return descriptor >= 0;
    }

    /** SIGKILL, unless it has ended. */
    public synchronized void kill() {
        if (descriptor >= 0) {
            try (Arena arena = Arena.ofConfined()) {
                SystemCall.FUNCTION.call(arena, SEND_SIGNAL, descriptor, KILL_SIGNAL, 0, 0, 0);
            }
        }
    }

    @Override
    public synchronized void close() {
        if (descriptor >= 0) {
            Descriptors.close(descriptor);
            descriptor = -1;
        }
    }
}
