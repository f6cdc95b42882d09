package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Whether this process, and so whatever it starts, may leave core dumps. */
public final class CoreDumps {

    private static final int RLIMIT_CORE = 4; // the same on all machines but alpha, mips, sparc
    private static final int THIS_PROCESS = 0;

    private CoreDumps() {}

    /** From now on it may not; there is no way back but for root. */
    public static void refuse() {
        try (Arena arena = Arena.ofConfined()) {
            // Two numbers of 64 bits that are zero: the soft and the hard limit.
            MemorySegment none = arena.allocate(2L * Long.BYTES, Long.BYTES);
            LibcFunction.named("prlimit").call(arena, THIS_PROCESS, RLIMIT_CORE, none.address(), 0);
        }
    }

    /** Whether it may not, and cannot allow it to itself either. */
    public static boolean areRefused() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(2L * Long.BYTES, Long.BYTES);
            int failed =
                    LibcFunction.named("prlimit")
                            .call(arena, THIS_PROCESS, RLIMIT_CORE, 0, limits.address());
            return failed >= 0 && limits.get(ValueLayout.JAVA_LONG, Long.BYTES) == 0;
        }
    }
}
