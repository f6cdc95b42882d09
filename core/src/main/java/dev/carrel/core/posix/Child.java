package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A process that {@link Spawn} started. One thread waits for its end; any thread may kill it. As
 * long as it is not waited for its number is not given to another process.
 */
public final class Child {

    private static final int KILL_SIGNAL = 9;
    private static final int KILLED = 128;

    /** pidfd_open(2); this number is the same on all machines. */
    private static final int OPEN_PROCESS = 434;

    // waitid(2)
    private static final int BY_PID = 1; // P_PID
    private static final int EXITED = 0x4; // WEXITED
    private static final int LEAVE = 0x01000000; // WNOWAIT
    private static final int INFORMATION_BYTES = 128; // siginfo_t

    private final int pid;
    private boolean gone;

    /** The child of this number, not waited for yet. */
    public Child(int pid) {
        this.pid = pid;
    }

    public int pid() {
        return pid;
    }

    /**
     * A descriptor that becomes readable when the process has ended; closed on exec, to be closed.
     * Or the negated error number.
     */
    public int watch() {
        try (Arena arena = Arena.ofConfined()) {
            return SystemCall.FUNCTION.call(arena, OPEN_PROCESS, pid, 0, 0);
        }
    }

    /**
     * Waits for the end, on a thread that has nothing else to do; an interrupt changes nothing.
     *
     * @return the exit status, or 128 + the number of the signal that killed it; the negated error
     *     number if somebody else in this process has waited for it
     */
    public int await() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment information = arena.allocate(INFORMATION_BYTES, Long.BYTES);
            int failed =
                    Functions.WAITID.call(
                            arena, BY_PID, pid, information.address(), EXITED | LEAVE, 0, 0);
            return failed < 0 ? lost(failed) : collect(arena);
        }
    }

    private synchronized int lost(int failed) {
        gone = true;
        return failed;
    }

    private synchronized int collect(Arena arena) {
        MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
        int failed = Functions.WAITPID.call(arena, pid, status.address(), 0, 0);
        gone = true;
        return failed < 0 ? failed : exit(status.get(ValueLayout.JAVA_INT, 0));
    }

    private static int exit(int status) {
        int signal = status & 0x7f;
        return signal == 0 ? status >> 8 & 0xff : KILLED + signal;
    }

    /** SIGKILL, unless it has ended. */
    public synchronized void kill() {
        if (!gone) {
            try (Arena arena = Arena.ofConfined()) {
                Functions.KILL.call(arena, pid, KILL_SIGNAL);
            }
        }
    }

    private static final class Functions {
        static final LibcFunction WAITID = LibcFunction.named("waitid");
        static final LibcFunction WAITPID = LibcFunction.named("waitpid");
        static final LibcFunction KILL = LibcFunction.named("kill");
    }
}
