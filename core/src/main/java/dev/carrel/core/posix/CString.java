package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Byte strings as C expects them. */
final class CString {

    private CString() {}

    /** The address of a copy that ends with NUL and lives as long as the arena. */
    static long address(Arena arena, byte[] text) {
        // Arenas hand out zeroed memory, so the terminating NUL is there.
        MemorySegment copy = arena.allocate(text.length + 1L);
        MemorySegment.copy(text, 0, copy, ValueLayout.JAVA_BYTE, 0, text.length);
        return copy.address();
    }
}
