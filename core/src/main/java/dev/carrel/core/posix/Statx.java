package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What statx(2) says about a file; unlike {@code struct stat} its layout is the same on every
 * machine, and it names the mount. Loaded once, then read; links are not followed.
 */
public final class Statx {

    private static final int BYTES = 256;
    private static final int BASIC_AND_MOUNT = 0x7ff | 0x1000;
    private static final int NO_FOLLOW_NO_AUTOMOUNT = 0x100 | 0x800;
    private static final int NO_AUTOMOUNT = 0x800;
    private static final int EMPTY_PATH = 0x1000;

    private final ByteBuffer data = ByteBuffer.allocate(BYTES).order(ByteOrder.nativeOrder());

    /** Of a name in an open directory. Zero, or the negated error number. */
    public int load(int directory, byte[] name) {
        return load(directory, name, NO_FOLLOW_NO_AUTOMOUNT);
    }

    /** Of an open descriptor. Zero, or the negated error number. */
    public int load(int descriptor) {
        return load(descriptor, new byte[0], EMPTY_PATH);
    }

    /** Of what an absolute path leads to. Zero, or the negated error number. */
    public int loadTarget(byte[] path) {
        return load(0, path, NO_AUTOMOUNT);
    }

    private int load(int directory, byte[] name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BYTES, Long.BYTES);
            long path = CString.address(arena, name);
            int result =
                    SystemCall.FUNCTION.call(
                            arena,
                            Machine.THIS.statx(),
                            directory,
                            path,
                            flags,
                            BASIC_AND_MOUNT,
                            buffer.address());
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, data.array(), 0, BYTES);
            return result;
        }
    }

    /** File type and permission bits, as in {@code st_mode}. */
    public int mode() {
        return Short.toUnsignedInt(data.getShort(28));
    }

    public int links() {
        return data.getInt(16);
    }

    public int uid() {
        return data.getInt(20);
    }

    public int gid() {
        return data.getInt(24);
    }

    public long inode() {
        return data.getLong(32);
    }

    /** In bytes. */
    public long size() {
        return data.getLong(40);
    }

    /** Of 512 bytes each. */
    public long blocks() {
        return data.getLong(48);
    }

    public long modifiedSeconds() {
        return data.getLong(112);
    }

    public int modifiedNanos() {
        return data.getInt(120);
    }

    /** Of a device file: major number above, minor below. */
    public long rdev() {
        return pair(128);
    }

    /** Where the file lies: major number above, minor below. */
    public long device() {
        return pair(136);
    }

    /** Zero before Linux 5.8. */
    public long mountId() {
        return data.getLong(144);
    }

    private long pair(int offset) {
        return ((long) data.getInt(offset) << 32) | Integer.toUnsignedLong(data.getInt(offset + 4));
    }
}
