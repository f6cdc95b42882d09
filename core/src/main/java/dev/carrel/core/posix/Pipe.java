package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A pipe; both ends are closed on exec and to be closed by whoever made it.
 *
 * @param reading the end that is read, or the negated error number
 * @param writing the end that is written
 */
public record Pipe(int reading, int writing) {

    /** A new one. */
    public static Pipe open() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            int failed = PIPE.call(arena, ends.address(), OpenFlags.CLOSE_ON_EXEC);
            return failed < 0
                    ? new Pipe(failed, failed)
                    : new Pipe(
                            ends.getAtIndex(ValueLayout.JAVA_INT, 0),
                            ends.getAtIndex(ValueLayout.JAVA_INT, 1));
        }
    }

    private static final LibcFunction PIPE = LibcFunction.named("pipe2");
}
