package dev.carrel.core.posix;

import java.lang.foreign.Arena;

/** The end of this process without the JVM. */
public final class ProcessExit {

    private static final LibcFunction EXIT = LibcFunction.named("_exit");

    private ProcessExit() {}

    /** Makes everything ready for native calls, this one among them. */
    public static void link() {
        Descriptors.close(-1);
    }

    /** Does not return; nothing of the JVM is told. */
    public static void now(int status) {
        try (Arena arena = Arena.ofConfined()) {
            EXIT.callOnce(arena, status);
        }
    }
}
