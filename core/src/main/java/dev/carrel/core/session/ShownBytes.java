package dev.carrel.core.session;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How much a terminal showed of a command: whoever has the outer end of the terminal counts, for a
 * limit of output. Any thread may.
 */
public final class ShownBytes {

    private int before;
    private @Nullable IntConsumer listener;

    /** Nothing was shown yet. */
    public ShownBytes() {}

    /** So many bytes more. */
    public synchronized void add(int bytes) {
        IntConsumer to = listener;
        if (to == null) {
            before += bytes;
        } else {
            to.accept(bytes);
        }
    }

    /** Tells what was counted until now, and from now on. */
    synchronized void tell(IntConsumer to) {
        listener = to;
        to.accept(before);
    }
}
