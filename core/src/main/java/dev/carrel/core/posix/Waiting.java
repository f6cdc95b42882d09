package dev.carrel.core.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** Waiting for descriptors. */
public final class Waiting {

    /** Something can be read, or the end was reached. */
    public static final int READABLE = 0x1; // POLLIN

    /** Something can be written. */
    public static final int WRITABLE = 0x4; // POLLOUT

    /** The other end is gone or the descriptor is broken; reported always. */
    public static final int ENDED = 0x8 | 0x10 | 0x20; // POLLERR POLLHUP POLLNVAL

    private static final int ENTRY = 8; // struct pollfd: int fd, short events, short revents
    private static final int NON_BLOCKING_EVENTS = OpenFlags.NON_BLOCKING; // EFD_NONBLOCK

    private Waiting() {}

    /**
     * Waits until one of the descriptors is ready for what is asked of it, at most that long.
     * Answers the events of each, zeros after the time; a negative descriptor is passed over.
     */
    public static int[] poll(Duration atMost, int[] descriptors, int[] events) {
        int[] ready = new int[descriptors.length];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entries = arena.allocate((long) ENTRY * descriptors.length, Long.BYTES);
            for (int i = 0; i < descriptors.length; i++) {
                entries.set(ValueLayout.JAVA_INT, (long) i * ENTRY, descriptors[i]);
                entries.set(ValueLayout.JAVA_SHORT, (long) i * ENTRY + 4, (short) events[i]);
            }
            POLL.call(arena, entries.address(), descriptors.length, atMost.toMillis(), 0);
            for (int i = 0; i < descriptors.length; i++) {
                ready[i] = entries.get(ValueLayout.JAVA_SHORT, (long) i * ENTRY + 6);
            }
        }
        return ready;
    }

    /** A descriptor that becomes readable, and stays so, once {@link #wake} was called. */
    public static int wakeUp() {
        try (Arena arena = Arena.ofConfined()) {
            return EVENTFD.call(arena, 0, NON_BLOCKING_EVENTS | OpenFlags.CLOSE_ON_EXEC);
        }
    }

    /** Makes the descriptor of {@link #wakeUp} readable. */
    public static int wake(int wakeUp) {
        byte[] one = new byte[Long.BYTES];
        one[0] = 1; // any number but zero, in either byte order
        return Descriptors.write(wakeUp, one, 0, one.length);
    }

    private static final LibcFunction POLL = LibcFunction.named("poll");
    private static final LibcFunction EVENTFD = LibcFunction.named("eventfd");
}
