package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Calls on an open descriptor. Each answers zero, a count or an offset, or the negated error
 * number. A descriptor is closed exactly once, by whoever opened it.
 */
public final class Descriptors {

    public static final int SEEK_SET = 0;
    public static final int SEEK_DATA = 3;
    public static final int SEEK_HOLE = 4;

    private static final int CHUNK = 1 << 16;
    private static final long FICLONE = 0x40049409L; // _IOW(0x94, 9, int)

    private static final int GET_FLAGS = 3; // F_GETFL
    private static final int SET_FLAGS = 4; // F_SETFL
    private static final int COPY_CLOSED_ON_EXEC = 1030; // F_DUPFD_CLOEXEC

    private static final LibcFunction CLOSE = LibcFunction.named("close");
    private static final LibcFunction READ = LibcFunction.named("read");
    private static final LibcFunction WRITE = LibcFunction.named("write");

    private Descriptors() {}

    public static int close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            return CLOSE.callOnce(arena, descriptor);
        }
    }

    /** A copy whose number is at least this one, closed on exec; the old number is not closed. */
    public static int copyAbove(int descriptor, int least) {
        try (Arena arena = Arena.ofConfined()) {
            return Rare.FCNTL.call(arena, descriptor, COPY_CLOSED_ON_EXEC, least, 0);
        }
    }

    /** From now on reads and writes answer {@link Errno#EAGAIN} where they would wait. */
    public static int stopWaiting(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            int flags = Rare.FCNTL.call(arena, descriptor, GET_FLAGS);
            return flags < 0
                    ? flags
                    : Rare.FCNTL.call(
                            arena, descriptor, SET_FLAGS, flags | OpenFlags.NON_BLOCKING, 0);
        }
    }

    /** Reads at most {@code length} bytes; zero at the end of the file. */
    public static int read(int descriptor, byte[] into, int offset, int length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.clamp(length, 1, CHUNK));
            int count =
                    (int)
                            READ.callLong(
                                    arena,
                                    descriptor,
                                    buffer.address(),
                                    Math.min(length, CHUNK),
                                    0);
            if (count > 0) {
                MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, into, offset, count);
            }
            return count;
        }
    }

    /** Writes at most {@code length} bytes, perhaps fewer. */
    public static int write(int descriptor, byte[] from, int offset, int length) {
        try (Arena arena = Arena.ofConfined()) {
            int count = Math.min(length, CHUNK);
            MemorySegment buffer = arena.allocate(Math.max(count, 1));
            MemorySegment.copy(from, offset, buffer, ValueLayout.JAVA_BYTE, 0, count);
            return (int) WRITE.callLong(arena, descriptor, buffer.address(), count, 0);
        }
    }

    public static long seek(int descriptor, long offset, int whence) {
        try (Arena arena = Arena.ofConfined()) {
            return Rare.LSEEK.callLong(arena, descriptor, offset, whence, 0);
        }
    }

    /** Makes {@code to} share the blocks of {@code from}, where the file system can. */
    public static int cloneBlocks(int from, int to) {
        try (Arena arena = Arena.ofConfined()) {
            return Rare.IOCTL.call(arena, to, FICLONE, from, 0);
        }
    }

    /** Copies inside the kernel from and to the same offset; answers how much was copied. */
    public static long copyRange(int from, int to, long offset, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_LONG, offset);
            MemorySegment out = arena.allocateFrom(ValueLayout.JAVA_LONG, offset);
            return Rare.COPY_FILE_RANGE.callLong(
                    arena, from, in.address(), to, out.address(), length, 0);
        }
    }

    public static int truncate(int descriptor, long size) {
        try (Arena arena = Arena.ofConfined()) {
            return Rare.FTRUNCATE.call(arena, descriptor, size);
        }
    }

    public static int chmod(int descriptor, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return Rare.FCHMOD.call(arena, descriptor, mode);
        }
    }

    public static int sync(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            return Rare.FSYNC.call(arena, descriptor, 0);
        }
    }

    /** Brings the whole file system of an open file to disk. */
    public static int syncFileSystem(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            return Rare.SYNCFS.call(arena, descriptor, 0);
        }
    }

    private static final class Rare {
        static final LibcFunction FCNTL = LibcFunction.named("fcntl");
        static final LibcFunction LSEEK = LibcFunction.named("lseek");
        static final LibcFunction IOCTL = LibcFunction.named("ioctl");
        static final LibcFunction COPY_FILE_RANGE = LibcFunction.named("copy_file_range");
        static final LibcFunction FTRUNCATE = LibcFunction.named("ftruncate");
        static final LibcFunction FCHMOD = LibcFunction.named("fchmod");
        static final LibcFunction FSYNC = LibcFunction.named("fsync");
        static final LibcFunction SYNCFS = LibcFunction.named("syncfs");
    }
}
