package dev.carrel.core.posix;

import java.lang.foreign.Arena;

/** The end of this process without the JVM. */
public final class ProcessExit {

    private ProcessExit() {}

    /** Does not return; nothing of the JVM is told. */
    public static void now(int status) {
        try (Arena arena = Arena.ofConfined()) {
            LibcFunction.named("_exit").callOnce(arena, status);
        }
    }
}
