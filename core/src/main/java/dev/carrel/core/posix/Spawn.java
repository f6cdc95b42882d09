package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/**
 * Starts a program in a new process by {@code posix_spawn}: the child shares the memory of this
 * process until it executes the program, so nothing is copied and no helper program runs in
 * between. The process is this one's child, to be waited for by {@link Child}.
 *
 * <p>The child has the descriptors it was given and no other, whatever is open in this process.
 */
public final class Spawn {

    /** The first descriptor that is no standard stream. */
    private static final int FIRST_OTHER = 3;

    // Both structures have 336 and 80 bytes in glibc and in musl.
    private static final int STRUCTURE_BYTES = 1024;
    private static final int SIGNAL_SET_BYTES = 128;
    private static final int SET_SIGNAL_MASK = 0x08; // POSIX_SPAWN_SETSIGMASK

    private static final Optional<LibcFunction> CLOSE_FROM =
            LibcFunction.find("posix_spawn_file_actions_addclosefrom_np");

    private static final int CHILD_SIGNAL = 17; // SIGCHLD

    static {
        // Where a program was started with this signal ignored, the kernel forgets its children at
        // once, and how they ended with them. The JDK does the same before it starts a process.
        Signals.restoreDefault(CHILD_SIGNAL);
    }

    private Spawn() {}

    /**
     * A descriptor that the child has.
     *
     * @param from its number in this process, or one that the child was given before
     * @param to its number in the child, at most 9
     */
    public record Given(int from, int to) {}

    /**
     * Whether the C library can close in the child what it is not given: glibc since 2.34. Without
     * that no child is safe from what other threads have open.
     */
    public static boolean isPossible() {
        return CLOSE_FROM.isPresent();
    }

    /**
     * Starts the program, and answers the process number or the negated error number of whatever
     * failed, the execution of the program included.
     *
     * @param program its path; no search
     * @param argv bytes of the arguments, the name of the program first
     * @param environment {@code NAME=value}
     * @param directory where it starts
     * @param given what it has open, applied in this order; standard streams that are not among it
     *     are those of this process
     */
    public static int start(
            byte[] program,
            List<byte[]> argv,
            List<byte[]> environment,
            byte[] directory,
            List<Given> given) {
        try (Arena arena = Arena.ofConfined()) {
            long actions = arena.allocate(STRUCTURE_BYTES, Long.BYTES).address();
            Functions.ACTIONS_INIT.call(arena, actions, 0);
            try {
                int refused = describe(arena, actions, directory, given);
                return refused == 0 ? start(arena, actions, program, argv, environment) : -refused;
            } finally {
                Functions.ACTIONS_DESTROY.call(arena, actions, 0);
            }
        }
    }

    /** These functions answer an error number, not its negation. */
    private static int describe(Arena arena, long actions, byte[] directory, List<Given> given) {
        int refused = Functions.ADD_CHDIR.call(arena, actions, CString.address(arena, directory));
        int last = FIRST_OTHER;
        for (Given each : given) {
            if (refused == 0) {
                refused = Functions.ADD_DUP2.call(arena, actions, each.from(), each.to(), 0);
            }
            last = Math.max(last, each.to() + 1);
        }
        for (int i = FIRST_OTHER; i < last && refused == 0; i++) {
            int number = i;
            if (given.stream().noneMatch(each -> each.to() == number)) {
                refused = Functions.ADD_CLOSE.call(arena, actions, number);
            }
        }
        return refused == 0 ? CLOSE_FROM.orElseThrow().call(arena, actions, last) : refused;
    }

    private static int start(
            Arena arena,
            long actions,
            byte[] program,
            List<byte[]> argv,
            List<byte[]> environment) {
        long attributes = arena.allocate(STRUCTURE_BYTES, Long.BYTES).address();
        MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
        Functions.ATTRIBUTES_INIT.call(arena, attributes, 0);
        try {
            // Threads of the JVM have a signal blocked that programs must be able to get.
            long none = arena.allocate(SIGNAL_SET_BYTES, Long.BYTES).address();
            Functions.SET_MASK.call(arena, attributes, none);
            Functions.SET_FLAGS.call(arena, attributes, SET_SIGNAL_MASK);
            int failed =
                    Functions.SPAWN.call(
                            arena,
                            pid.address(),
                            CString.address(arena, program),
                            actions,
                            attributes,
                            strings(arena, argv),
                            strings(arena, environment));
            return failed == 0 ? pid.get(ValueLayout.JAVA_INT, 0) : -failed;
        } finally {
            Functions.ATTRIBUTES_DESTROY.call(arena, attributes, 0);
        }
    }

    /** An array of pointers that ends with a null pointer. */
    private static long strings(Arena arena, List<byte[]> texts) {
        MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, CString.address(arena, texts.get(i)));
        }
        return array.address();
    }

    private static final class Functions {
        private static final String ACTIONS = "posix_spawn_file_actions_";
        private static final String ATTRIBUTES = "posix_spawnattr_";

        static final LibcFunction SPAWN = LibcFunction.named("posix_spawn");
        static final LibcFunction ACTIONS_INIT = LibcFunction.named(ACTIONS + "init");
        static final LibcFunction ACTIONS_DESTROY = LibcFunction.named(ACTIONS + "destroy");
        static final LibcFunction ADD_CHDIR = LibcFunction.named(ACTIONS + "addchdir_np");
        static final LibcFunction ADD_DUP2 = LibcFunction.named(ACTIONS + "adddup2");
        static final LibcFunction ADD_CLOSE = LibcFunction.named(ACTIONS + "addclose");
        static final LibcFunction ATTRIBUTES_INIT = LibcFunction.named(ATTRIBUTES + "init");
        static final LibcFunction ATTRIBUTES_DESTROY = LibcFunction.named(ATTRIBUTES + "destroy");
        static final LibcFunction SET_FLAGS = LibcFunction.named(ATTRIBUTES + "setflags");
        static final LibcFunction SET_MASK = LibcFunction.named(ATTRIBUTES + "setsigmask");
    }
}
