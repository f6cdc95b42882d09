package dev.carrel.core.apply;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Merges permission bits, of which git knows but one. Umasks may have made base and host different
 * from the start: {@link ModeMatch} tells whether that counts.
 */
final class ModeMerge {

    private static final int READ_BITS = 0444;
    private static final int EXECUTE_BITS = 0111;
    private static final int OWNER_EXECUTE = 0100;
    private static final int READ_TO_EXECUTE = 2;

    private ModeMerge() {}

    /**
     * The bits that follow from both sides; empty where they contradict each other.
     *
     * @param base empty where both sides created the file
     */
    static OptionalInt of(ModeMatch match, Optional<Integer> base, int host, int session) {
        boolean hostKept = base.filter(old -> matches(match, old, host)).isPresent();
        boolean sessionKept = base.filter(old -> old == session).isPresent();
        if (host == session || sessionKept) {
            return OptionalInt.of(host);
        }
        if (base.isEmpty()) {
            return matches(match, host, session) ? OptionalInt.of(host) : OptionalInt.empty();
        }
        int old = base.get();
        if (hostKept) {
            return OptionalInt.of(host == old ? session : carried(old, host, session));
        }
        if (rest(old) == rest(session)) {
            return OptionalInt.of(carried(old, host, session));
        }
        boolean restFree = rest(old) == rest(host) || rest(host) == rest(session);
        return restFree ? OptionalInt.of(session) : OptionalInt.empty();
    }

    /** Whether permission bits of the host count as unchanged. */
    static boolean matches(ModeMatch match, int old, int now) {
        return switch (match) {
            case EXACT -> old == now;
            case EXECUTABLE -> (old & EXECUTE_BITS) == 0 == ((now & EXECUTE_BITS) == 0);
        };
    }

    /** The host's bits with what the session changed. */
    static int carried(int base, int host, int session) {
        boolean onlyExecute = rest(base) == rest(session);
        return onlyExecute ? executable(host, (session & EXECUTE_BITS) != 0) : session;
    }

    /** The same bits, but executable by those who may read, or by nobody. */
    static int executable(int mode, boolean wanted) {
        return wanted ? mode | ((mode & READ_BITS) >> READ_TO_EXECUTE) : mode & ~EXECUTE_BITS;
    }

    /** The same bits where they say so already. */
    static int withExecutable(int mode, boolean wanted) {
        return ((mode & OWNER_EXECUTE) != 0) == wanted ? mode : executable(mode, wanted);
    }

    private static int rest(int mode) {
        return mode & ~EXECUTE_BITS;
    }
}
