package dev.carrel.core.posix;

import java.lang.foreign.Arena;

/** Who this process is. */
public final class Identity {

    private Identity() {}

    /** The user that permissions are checked for. */
    public static int effectiveUid() {
        try (Arena arena = Arena.ofConfined()) {
            return LibcFunction.named("geteuid").call(arena, 0, 0);
        }
    }

    /** The group that new files get. */
    public static int effectiveGid() {
        try (Arena arena = Arena.ofConfined()) {
            return LibcFunction.named("getegid").call(arena, 0, 0);
        }
    }
}
