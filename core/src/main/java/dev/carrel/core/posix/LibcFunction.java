package dev.carrel.core.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.carrel.core.failure.UnsupportedHostException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A function of the C library that takes at most six integers or pointers.
 *
 * <p>Every function is called with six 64-bit arguments, whatever it takes: the calling conventions
 * of Linux on x86-64, aarch64 and riscv64 pass them in registers, variadic or not, and a callee
 * ignores those it does not know and the upper half of an {@code int}. One signature means one
 * linkage, which is what costs at start-up.
 */
final class LibcFunction {

    private final MemorySegment address;

    private LibcFunction(MemorySegment address) {
        this.address = address;
    }

    static LibcFunction named(String name) {
        return find(name)
                .orElseThrow(() ->
                        new UnsupportedHostException(
                                "the C library of this system has no function " + name,
                                "use a system with glibc 2.33 or musl 1.2 or" + " newer"));
    }

    /** Empty where this C library has no such function. */
    static Optional<LibcFunction> find(String name) {
        return Native.LINKER.defaultLookup().find(name).map(LibcFunction::new);
    }

    /** The result as an {@code int}, or the negated error number. Memory comes from the arena. */
    int call(Arena arena, long a, long b, long c, long d, long e, long f) {
        MemorySegment state = arena.allocate(Native.STATE_BYTES, Integer.BYTES);
        int result;
        do {
            // The upper half of the register is undefined for a function that returns an int.
            result = (int) invoke(state, a, b, c, d, e, f);
        } while (result == -1 && errno(state) == Errno.EINTR);
        return result == -1 ? -errno(state) : result;
    }

    int call(Arena arena, long a, long b, long c, long d) {
        return call(arena, a, b, c, d, 0, 0);
    }

    int call(Arena arena, long a, long b) {
        return call(arena, a, b, 0, 0, 0, 0);
    }

    /** The same for a function that returns {@code long}, {@code ssize_t} or {@code off_t}. */
    long callLong(Arena arena, long a, long b, long c, long d, long e, long f) {
        MemorySegment state = arena.allocate(Native.STATE_BYTES, Integer.BYTES);
        long result;
        do {
            result = invoke(state, a, b, c, d, e, f);
        } while (result == -1 && errno(state) == Errno.EINTR);
        return result == -1 ? -errno(state) : result;
    }

    long callLong(Arena arena, long a, long b, long c, long d) {
        return callLong(arena, a, b, c, d, 0, 0);
    }

    /** For calls that must not be repeated: close() has given the number back even on EINTR. */
    int callOnce(Arena arena, long a) {
        MemorySegment state = arena.allocate(Native.STATE_BYTES, Integer.BYTES);
        int result = (int) invoke(state, a, 0, 0, 0, 0, 0);
        return result == -1 ? -errno(state) : result;
    }

    private long invoke(MemorySegment state, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) Native.HANDLE.invokeExact(address, state, a, b, c, d, e, f);
        } catch (RuntimeException | Error unexpected) {
            throw unexpected;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a native call threw", impossible);
        }
    }

    private static int errno(MemorySegment state) {
        return state.get(JAVA_INT, Native.ERRNO_OFFSET);
    }

    /** Initialized by the first call, so that a program that needs none pays nothing. */
    private static final class Native {
        static final Linker LINKER = Linker.nativeLinker();
        static final long STATE_BYTES = Linker.Option.captureStateLayout().byteSize();
        static final long ERRNO_OFFSET = 0; // the only member on Linux
        static final MethodHandle HANDLE =
                LINKER.downcallHandle(
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                JAVA_LONG),
                        Linker.Option.captureCallState("errno"));
    }
}
