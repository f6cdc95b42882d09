package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** How many descriptors this process may have open. */
public final class DescriptorLimit {

    private static final int RLIMIT_NOFILE = 7; // the same on all machines but alpha, mips, sparc
    private static final int THIS_PROCESS = 0;

    private DescriptorLimit() {}

    /**
     * The soft limit at this moment; {@link Long#MAX_VALUE} where there is none. Or the negated
     * error number. Needs no descriptor.
     */
    public static long now() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(2L * Long.BYTES, Long.BYTES);
            int failed =
                    LibcFunction.named("prlimit")
                            .call(arena, THIS_PROCESS, RLIMIT_NOFILE, 0, limits.address());
            long soft = limits.get(ValueLayout.JAVA_LONG, 0);
            // RLIM_INFINITY is all ones.
            return failed < 0 ? failed : soft < 0 ? Long.MAX_VALUE : soft;
        }
    }
}
