package dev.carrel.core.posix;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Calls on a name in an open directory. None follows a link in its last component, but for {@link
 * #open} without {@link OpenFlags#NO_FOLLOW}. Each answers zero or a count or descriptor, or the
 * negated error number.
 */
public final class Entries {

    /** In place of a directory: names are then relative to the working directory, or absolute. */
    public static final int WORKING_DIRECTORY = -100;

    private static final int REMOVE_DIRECTORY = 0x200;
    private static final int SYMLINK_NO_FOLLOW = 0x100;
    private static final int RENAME_NO_REPLACE = 1;
    private static final int RENAME_EXCHANGE = 2;
    private static final int CHARACTER_DEVICE = 0x2000;
    private static final long LEAVE_TIME = (1L << 30) - 2;
    private static final int FIRST_LINK_BUFFER = 256;
    private static final int LAST_LINK_BUFFER = 1 << 16;

    private static final LibcFunction OPEN = LibcFunction.named("openat");

    private Entries() {}

    public static int open(int directory, byte[] name, int flags, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            long path = CString.address(arena, name);
            return OPEN.call(arena, directory, path, flags | OpenFlags.CLOSE_ON_EXEC, mode);
        }
    }

    public static int makeDirectory(int directory, byte[] name, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return Make.MKDIR.call(arena, directory, CString.address(arena, name), mode, 0);
        }
    }

    public static int makeFifo(int directory, byte[] name, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return Make.MKFIFO.call(arena, directory, CString.address(arena, name), mode, 0);
        }
    }

    /** The character device 0:0 that overlayfs reads as "deleted"; needs no privilege. */
    public static int makeWhiteout(int directory, byte[] name) {
        try (Arena arena = Arena.ofConfined()) {
            long path = CString.address(arena, name);
            return Make.MKNOD.call(arena, directory, path, CHARACTER_DEVICE, 0);
        }
    }

    public static int symlink(byte[] target, int directory, byte[] name) {
        try (Arena arena = Arena.ofConfined()) {
            long text = CString.address(arena, target);
            return Make.SYMLINK.call(arena, text, directory, CString.address(arena, name), 0);
        }
    }

    public static int link(int from, byte[] name, int to, byte[] newName) {
        try (Arena arena = Arena.ofConfined()) {
            long old = CString.address(arena, name);
            return Make.LINK.call(arena, from, old, to, CString.address(arena, newName), 0, 0);
        }
    }

    public static int unlink(int directory, byte[] name) {
        return remove(directory, name, 0);
    }

    public static int removeDirectory(int directory, byte[] name) {
        return remove(directory, name, REMOVE_DIRECTORY);
    }

    private static int remove(int directory, byte[] name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return Change.UNLINK.call(arena, directory, CString.address(arena, name), flags, 0);
        }
    }

    /** Replaces what is there. */
    public static int rename(int from, byte[] name, int to, byte[] newName) {
        return rename(from, name, to, newName, 0);
    }

    /** Fails with {@link Errno#EEXIST} where the new name exists. */
    public static int renameExclusive(int from, byte[] name, int to, byte[] newName) {
        return rename(from, name, to, newName, RENAME_NO_REPLACE);
    }

    /** Lets two entries change places in one step; both have to exist. */
    public static int exchange(int from, byte[] name, int to, byte[] newName) {
        return rename(from, name, to, newName, RENAME_EXCHANGE);
    }

    private static int rename(int from, byte[] name, int to, byte[] newName, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            long old = CString.address(arena, name);
            long fresh = CString.address(arena, newName);
            return SystemCall.FUNCTION.call(
                    arena, Machine.THIS.renameat2(), from, old, to, fresh, flags);
        }
    }

    /**
     * Changes the mode of what a descriptor opened with {@link OpenFlags#PATH_ONLY} stands for.
     * fchmod refuses such a descriptor; the magic link in {@code /proc} leads to the same file.
     */
    public static int chmodOpened(int descriptor, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            byte[] magicLink = ("/proc/self/fd/" + descriptor).getBytes(US_ASCII);
            long path = CString.address(arena, magicLink);
            return Change.CHMOD.call(arena, WORKING_DIRECTORY, path, mode, 0);
        }
    }

    public static int chown(int directory, byte[] name, int uid, int gid) {
        try (Arena arena = Arena.ofConfined()) {
            long path = CString.address(arena, name);
            return Change.CHOWN.call(arena, directory, path, uid, gid, SYMLINK_NO_FOLLOW, 0);
        }
    }

    /** Sets the time of modification and leaves the time of access. */
    public static int setModified(int directory, byte[] name, long seconds, int nanos) {
        try (Arena arena = Arena.ofConfined()) {
            long path = CString.address(arena, name);
            MemorySegment times =
                    arena.allocateFrom(ValueLayout.JAVA_LONG, 0, LEAVE_TIME, seconds, nanos);
            return Change.UTIMENS.call(
                    arena, directory, path, times.address(), SYMLINK_NO_FOLLOW, 0, 0);
        }
    }

    /** The target of a link through {@code sink}. */
    public static int readLink(int directory, byte[] name, Sink sink) {
        for (int size = FIRST_LINK_BUFFER; ; size *= 2) {
            byte[] target = new byte[size];
            int count = readLink(directory, name, target);
            // A full buffer may hide a longer target.
            if (count < size || size >= LAST_LINK_BUFFER) {
                if (count >= 0) {
                    sink.accept(Arrays.copyOf(target, count));
                }
                return Math.min(count, 0);
            }
        }
    }

    private static int readLink(int directory, byte[] name, byte[] into) {
        try (Arena arena = Arena.ofConfined()) {
            long path = CString.address(arena, name);
            MemorySegment buffer = arena.allocate(into.length);
            int count =
                    (int)
                            Change.READLINK.callLong(
                                    arena, directory, path, buffer.address(), into.length);
            if (count > 0) {
                MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, into, 0, count);
            }
            return count;
        }
    }

    /** Takes bytes that a call produced. */
    @FunctionalInterface
    public interface Sink {
        /** Called once for each value. */
        void accept(byte[] bytes);
    }

    private static final class Make {
        static final LibcFunction MKDIR = LibcFunction.named("mkdirat");
        static final LibcFunction MKFIFO = LibcFunction.named("mkfifoat");
        static final LibcFunction MKNOD = LibcFunction.named("mknodat");
        static final LibcFunction SYMLINK = LibcFunction.named("symlinkat");
        static final LibcFunction LINK = LibcFunction.named("linkat");
    }

    private static final class Change {
        static final LibcFunction UNLINK = LibcFunction.named("unlinkat");
        static final LibcFunction CHMOD = LibcFunction.named("fchmodat");
        static final LibcFunction CHOWN = LibcFunction.named("fchownat");
        static final LibcFunction UTIMENS = LibcFunction.named("utimensat");
        static final LibcFunction READLINK = LibcFunction.named("readlinkat");
    }
}
