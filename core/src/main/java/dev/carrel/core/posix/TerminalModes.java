package dev.carrel.core.posix;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The modes of a terminal, as the C library's {@code struct termios} holds them: four words of
 * flags (input, output, control, local), then the line discipline and the control characters. The
 * numbers are those of Linux on all 64-bit machines that run a JDK. Immutable.
 */
public final class TerminalModes {

    /** More than any C library's structure takes. */
    static final int BYTES = 128;

    private static final int INPUT = 0;
    private static final int OUTPUT = 4;
    private static final int CONTROL = 8;
    private static final int LOCAL = 12;
    private static final int CHARACTERS = 17;
    private static final int END_OF_FILE = CHARACTERS + 4; // VEOF
    private static final int TIME = CHARACTERS + 5; // VTIME
    private static final int MINIMUM = CHARACTERS + 6; // VMIN

    private static final int POST_PROCESS = 0x1; // OPOST
    private static final int SIGNALS = 0x1; // ISIG
    private static final int CANONICAL = 0x2; // ICANON
    private static final int ECHO = 0x8;
    private static final int ECHO_NEWLINE = 0x40; // ECHONL
    private static final int EXTENSIONS = 0x8000; // IEXTEN
    // IGNBRK BRKINT PARMRK ISTRIP INLCR IGNCR ICRNL IXON
    private static final int INPUT_TRANSLATION =
            0x1 | 0x2 | 0x8 | 0x20 | 0x40 | 0x80 | 0x100 | 0x400;
    private static final int SIZE_AND_PARITY = 0x30 | 0x100; // CSIZE PARENB
    private static final int EIGHT_BITS = 0x30; // CS8

    private final byte[] termios;

    TerminalModes(byte[] termios) {
        this.termios = termios.clone();
    }

    byte[] bytes() {
        return termios.clone();
    }

    /** Every byte passes as it is, both ways, at once: no echo, no signals, no lines. */
    public TerminalModes raw() {
        return clear(INPUT, INPUT_TRANSLATION)
                .clear(OUTPUT, POST_PROCESS)
                .clear(CONTROL, SIZE_AND_PARITY)
                .set(CONTROL, EIGHT_BITS)
                .clear(LOCAL, ECHO | ECHO_NEWLINE | CANONICAL | SIGNALS | EXTENSIONS)
                .character(MINIMUM, 1)
                .character(TIME, 0);
    }

    /** Output passes as it is: no carriage return before a line feed. */
    public TerminalModes withPlainOutput() {
        return clear(OUTPUT, POST_PROCESS);
    }

    /** What is typed is not shown. */
    public TerminalModes withoutEcho() {
        return clear(LOCAL, ECHO | ECHO_NEWLINE);
    }

    /** Whether input is read by lines, as no full-screen program does. */
    public boolean isLineByLine() {
        return (word(LOCAL) & CANONICAL) != 0;
    }

    /** The character that means the end of the input. */
    public byte endOfFile() {
        return termios[END_OF_FILE];
    }

    private TerminalModes clear(int place, int flags) {
        return withWord(place, word(place) & ~flags);
    }

    private TerminalModes set(int place, int flags) {
        return withWord(place, word(place) | flags);
    }

    private TerminalModes character(int place, int value) {
        TerminalModes changed = new TerminalModes(termios);
        changed.termios[place] = (byte) value;
        return changed;
    }

    private int word(int place) {
        return ByteBuffer.wrap(termios).order(ByteOrder.nativeOrder()).getInt(place);
    }

    private TerminalModes withWord(int place, int value) {
        TerminalModes changed = new TerminalModes(termios);
        ByteBuffer.wrap(changed.termios).order(ByteOrder.nativeOrder()).putInt(place, value);
        return changed;
    }
}
