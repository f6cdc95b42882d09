package dev.carrel.core.egress;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Memory outside of the heap, used again and again: the kernel copies into it without a second copy
 * by the JVM. Every connection has two small pieces; the large ones go to those that are busy, and
 * there are only a few, so that the number of connections does not decide how much memory is used.
 */
final class Buffers {

    static final int SMALL = 16 * 1024;
    static final int LARGE = 512 * 1024;
    private static final int MOST_LARGE = 32;

    private final Queue<ByteBuffer> small = new ConcurrentLinkedQueue<>();
    private final Queue<ByteBuffer> large = new ConcurrentLinkedQueue<>();
    private final Semaphore largeLeft = new Semaphore(MOST_LARGE);

    /** A small piece, empty and ready to be read from. */
    ByteBuffer take() {
        ByteBuffer free = small.poll();
        return (free == null ? ByteBuffer.allocateDirect(SMALL) : free).clear().limit(0);
    }

    /** A large piece in exchange for a small one where one is left, else the small one. */
    ByteBuffer grow(ByteBuffer piece) {
        if (piece.capacity() != SMALL || !largeLeft.tryAcquire()) {
            return piece;
        }
        ByteBuffer free = large.poll();
        giveBack(piece);
        return (free == null ? ByteBuffer.allocateDirect(LARGE) : free).clear().limit(0);
    }

    /** A small piece in exchange for a large one. */
    ByteBuffer shrink(ByteBuffer piece) {
        if (piece.capacity() == SMALL) {
            return piece;
        }
        giveBack(piece);
        return take();
    }

    /** Gives back what nobody uses any more. */
    void giveBack(ByteBuffer piece) {
        if (piece.capacity() == SMALL) {
            small.add(piece);
        } else {
            large.add(piece);
            largeLeft.release();
        }
    }
}
