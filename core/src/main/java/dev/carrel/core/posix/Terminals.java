package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Calls on terminals and pseudo terminals. Each answers zero or more, or the negated error number.
 */
public final class Terminals {

    private static final long GET_SIZE = 0x5413; // TIOCGWINSZ
    private static final long SET_SIZE = 0x5414; // TIOCSWINSZ
    private static final int AFTER_OUTPUT = 1; // TCSADRAIN
    private static final int NAME_BYTES = 128;

    private Terminals() {}

    /** A new pseudo terminal: its outer end, not blocking, closed on exec. */
    public static int openOuter() {
        int flags =
                OpenFlags.READ_WRITE
                        | OpenFlags.NO_CONTROLLING_TERMINAL
                        | OpenFlags.NON_BLOCKING
                        | OpenFlags.CLOSE_ON_EXEC;
        try (Arena arena = Arena.ofConfined()) {
            int outer = Opening.POSIX_OPENPT.call(arena, flags, 0);
            if (outer < 0) {
                return outer;
            }
            int granted = Opening.GRANTPT.call(arena, outer, 0);
            int unlocked = granted < 0 ? granted : Opening.UNLOCKPT.call(arena, outer, 0);
            if (unlocked < 0) {
                Descriptors.close(outer);
                return unlocked;
            }
            return outer;
        }
    }

    /** The path of the inner end that belongs to an outer one. */
    public static Optional<String> innerPath(int outer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(NAME_BYTES);
            // It answers the error number itself, not -1.
            int failed = Opening.PTSNAME_R.call(arena, outer, name.address(), NAME_BYTES, 0);
            return failed == 0
                    ? Optional.of(name.getString(0, StandardCharsets.US_ASCII))
                    : Optional.empty();
        }
    }

    /** Opens a terminal without making it this process's controlling one. */
    public static int open(String path) {
        int flags =
                OpenFlags.READ_WRITE | OpenFlags.NO_CONTROLLING_TERMINAL | OpenFlags.CLOSE_ON_EXEC;
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
            return Opening.OPEN.call(arena, CString.address(arena, bytes), flags);
        }
    }

    /** Rows in the upper half, columns in the lower; or the negated error number. */
    public static int size(int terminal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(8);
            int failed = IOCTL.call(arena, terminal, GET_SIZE, size.address(), 0);
            int rows = size.get(ValueLayout.JAVA_SHORT, 0) & 0x7fff;
            int columns = size.get(ValueLayout.JAVA_SHORT, 2) & 0xffff;
            return failed < 0 ? failed : rows << 16 | columns;
        }
    }

    /** Sets the size; the foreground processes are told by SIGWINCH. */
    public static int resize(int terminal, int rows, int columns) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(8);
            size.set(ValueLayout.JAVA_SHORT, 0, (short) rows);
            size.set(ValueLayout.JAVA_SHORT, 2, (short) columns);
            return IOCTL.call(arena, terminal, SET_SIZE, size.address(), 0);
        }
    }

    /** The modes of a terminal; empty for everything else. */
    public static Optional<TerminalModes> modes(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment termios = arena.allocate(TerminalModes.BYTES, Long.BYTES);
            int failed = TCGETATTR.call(arena, descriptor, termios.address());
            return failed < 0
                    ? Optional.empty()
                    : Optional.of(new TerminalModes(termios.toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    /** Sets the modes once all output has been shown; unread input is kept. */
    public static int setModes(int terminal, TerminalModes modes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment termios = arena.allocate(TerminalModes.BYTES, Long.BYTES);
            MemorySegment.copy(
                    modes.bytes(), 0, termios, ValueLayout.JAVA_BYTE, 0, TerminalModes.BYTES);
            return TCSETATTR.call(arena, terminal, AFTER_OUTPUT, termios.address(), 0);
        }
    }

    /**
     * Whether this process belongs to the terminal's foreground job. A background one is stopped by
     * the kernel when it reads the terminal or sets its modes.
     */
    public static boolean isForeground(int terminal) {
        try (Arena arena = Arena.ofConfined()) {
            int foreground = TCGETPGRP.call(arena, terminal, 0);
            return foreground > 0 && foreground == GETPGRP.call(arena, 0, 0);
        }
    }

    private static final LibcFunction IOCTL = LibcFunction.named("ioctl");
    private static final LibcFunction TCGETATTR = LibcFunction.named("tcgetattr");
    private static final LibcFunction TCSETATTR = LibcFunction.named("tcsetattr");
    private static final LibcFunction TCGETPGRP = LibcFunction.named("tcgetpgrp");
    private static final LibcFunction GETPGRP = LibcFunction.named("getpgrp");

    private static final class Opening {
        static final LibcFunction POSIX_OPENPT = LibcFunction.named("posix_openpt");
        static final LibcFunction GRANTPT = LibcFunction.named("grantpt");
        static final LibcFunction UNLOCKPT = LibcFunction.named("unlockpt");
        static final LibcFunction PTSNAME_R = LibcFunction.named("ptsname_r");
        static final LibcFunction OPEN = LibcFunction.named("open");
    }
}
