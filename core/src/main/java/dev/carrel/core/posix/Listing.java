package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * The names in an open directory. Reading always starts at the beginning and uses the descriptor's
 * own offset, so one descriptor serves one reader at a time.
 */
public final class Listing {

    // struct linux_dirent64: d_ino 8, d_off 8, d_reclen 2, d_type 1, d_name.
    private static final int RECORD_LENGTH = 16;
    private static final int NAME = 19;
    private static final int BUFFER = 1 << 15;

    private Listing() {}

    /**
     * Adds the names without {@code .} and {@code ..}, in the order of the file system, until
     * {@code limit} are in the list (a few more may be). Zero, or the negated error number.
     */
    public static int read(int directory, List<byte[]> into, int limit) {
        long start = Descriptors.seek(directory, 0, Descriptors.SEEK_SET);
        if (start < 0) {
            return (int) start;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER, Long.BYTES);
            int count;
            do {
                count =
                        SystemCall.FUNCTION.call(
                                arena,
                                Machine.THIS.getdents64(),
                                directory,
                                buffer.address(),
                                BUFFER,
                                0,
                                0);
                addNames(buffer, count, into);
            } while (count > 0 && into.size() < limit);
            return Math.min(count, 0);
        }
    }

    private static void addNames(MemorySegment buffer, int count, List<byte[]> into) {
        for (int at = 0; at < count; ) {
            int next =
                    at
                            + Short.toUnsignedInt(
                                    buffer.get(ValueLayout.JAVA_SHORT, at + RECORD_LENGTH));
            byte[] name = name(buffer, at + NAME, next);
            if (!isDots(name)) {
                into.add(name);
            }
            at = next;
        }
    }

    private static byte[] name(MemorySegment buffer, int start, int limit) {
        int end = start;
        while (end < limit && buffer.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return buffer.asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE);
    }

    private static boolean isDots(byte[] name) {
        return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }
}
