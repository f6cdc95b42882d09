package dev.carrel.core.posix;

import java.lang.foreign.Arena;

/** How this process takes signals. */
public final class Signals {

    public static final int HANGUP = 1;
    public static final int INTERRUPT = 2;
    public static final int TERMINATE = 15;

    private static final long DEFAULT_ACTION = 0; // SIG_DFL

    private Signals() {}

    /**
     * Lets the kernel act on the signal again, whatever handler the JVM has installed: the next one
     * ends this process at once.
     */
    public static void restoreDefault(int signal) {
        try (Arena arena = Arena.ofConfined()) {
            LibcFunction.named("signal").callLong(arena, signal, DEFAULT_ACTION, 0, 0);
        }
    }
}
