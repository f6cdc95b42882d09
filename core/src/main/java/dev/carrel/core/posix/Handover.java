package dev.carrel.core.posix;

import java.lang.foreign.Arena;

/**
 * Open files of other processes, and under other numbers. Each call answers a descriptor, or the
 * negated error number.
 */
public final class Handover {

    // Numbers of newer calls are the same on all machines.
    private static final int PIDFD_OPEN = 434;
    private static final int PIDFD_GETFD = 438;

    private Handover() {}

    /**
     * The open file that is {@code descriptor} in another process, as a descriptor of this one
     * (pidfd_getfd(2), Linux 5.6). The kernel allows it to whoever may trace that process: its
     * user, who made the user namespace it is in, and root.
     */
    public static int take(long pid, int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            int process = SystemCall.FUNCTION.call(arena, PIDFD_OPEN, pid, 0, 0);
            if (process < 0) {
                return process;
            }
            try {
                return SystemCall.FUNCTION.call(arena, PIDFD_GETFD, process, descriptor, 0);
            } finally {
                Descriptors.close(process);
            }
        }
    }

    /** Makes {@code number} another name of the open file; what it was before is closed. */
    public static int rename(int descriptor, int number) {
        try (Arena arena = Arena.ofConfined()) {
            return DUP3.call(arena, descriptor, number, OpenFlags.CLOSE_ON_EXEC, 0);
        }
    }

    private static final LibcFunction DUP3 = LibcFunction.named("dup3");
}
