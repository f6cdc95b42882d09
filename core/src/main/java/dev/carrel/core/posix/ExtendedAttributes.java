package dev.carrel.core.posix;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Extended attributes of an open file or directory. */
public final class ExtendedAttributes {

    private static final LibcFunction GET = LibcFunction.named("fgetxattr");

    private ExtendedAttributes() {}

    /** The length of the value that was put into {@code into}, or the negated error number. */
    public static int get(int descriptor, String name, byte[] into) {
        try (Arena arena = Arena.ofConfined()) {
            long key = CString.address(arena, name.getBytes(US_ASCII));
            MemorySegment buffer = arena.allocate(into.length);
            int length = (int) GET.callLong(arena, descriptor, key, buffer.address(), into.length);
            if (length > 0) {
                MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, into, 0, length);
            }
            return length;
        }
    }

    /** Zero, or the negated error number. */
    public static int set(int descriptor, String name, byte[] value) {
        try (Arena arena = Arena.ofConfined()) {
            long key = CString.address(arena, name.getBytes(US_ASCII));
            long data = CString.address(arena, value);
            return Change.SET.call(arena, descriptor, key, data, value.length, 0, 0);
        }
    }

    /** Zero, or the negated error number. */
    public static int remove(int descriptor, String name) {
        try (Arena arena = Arena.ofConfined()) {
            long key = CString.address(arena, name.getBytes(US_ASCII));
            return Change.REMOVE.call(arena, descriptor, key);
        }
    }

    private static final class Change {
        static final LibcFunction REMOVE = LibcFunction.named("fremovexattr");
        static final LibcFunction SET = LibcFunction.named("fsetxattr");
    }
}
