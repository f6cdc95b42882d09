package dev.carrel.core.egress;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One connected socket, read through a buffer. One thread reads, one writes, any may close; closing
 * wakes both. Every read and write says that there is life in the connection.
 */
final class Wire implements ByteSource, Closeable {

    /** How many reads in a row that would have fitted a small buffer give a large one back. */
    private static final int PATIENCE = 16;

    private final SocketChannel channel;
    private final Buffers buffers;
    private final Runnable life;
    private ByteBuffer in;
    private int smallReads;
    private long received;
    private long sent;

    Wire(SocketChannel channel, Buffers buffers, Runnable life) {
        this.channel = channel;
        this.buffers = buffers;
        this.life = life;
        this.in = buffers.take();
    }

    /** How many bytes came in. */
    long received() {
        return received;
    }

    /** How many bytes went out. */
    long sent() {
        return sent;
    }

    /** How many bytes can be read without waiting. */
    int buffered() {
        return in.remaining();
    }

    /** Waits for bytes where none are buffered; false where no more will come. */
    boolean await() throws IOException {
        if (in.hasRemaining()) {
            return true;
        }
        in.clear();
        int count = -1;
        try {
            count = channel.read(in);
        } finally {
            in.flip();
        }
        received += Math.max(count, 0);
        life.run();
        return count > 0;
    }

    /** The next byte without taking it, or -1. */
    int peek() throws IOException {
        return await() ? in.get(in.position()) & 0xff : -1;
    }

    @Override
    public int next() throws IOException {
        return await() ? in.get() & 0xff : -1;
    }

    void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            sent += channel.write(bytes);
            life.run();
        }
    }

    void write(byte[] bytes) throws IOException {
        write(ByteBuffer.wrap(bytes));
    }

    /** Moves what is buffered, at most so many bytes; how many it was. */
    int drainTo(Wire other, long most) throws IOException {
        int count = (int) Math.min(in.remaining(), most);
        int end = in.limit();
        in.limit(in.position() + count);
        try {
            other.write(in);
        } finally {
            in.limit(end);
        }
        return count;
    }

    /** Moves all bytes to the other until no more will come; its own side stays open. */
    void pumpTo(Wire other) throws IOException {
        while (await()) {
            fit(drainTo(other, Integer.MAX_VALUE));
        }
    }

    private void fit(int count) {
        if (count == in.capacity()) {
            in = buffers.grow(in);
            smallReads = 0;
        } else if (count > Buffers.SMALL || in.capacity() == Buffers.SMALL) {
            smallReads = 0;
        } else if (++smallReads > PATIENCE) {
            in = buffers.shrink(in);
            smallReads = 0;
        }
    }

    /** Forgets what is buffered. */
    void forget() {
        in.clear().limit(0);
    }

    /** Says to the other end that no more will come. */
    void endOutput() throws IOException {
        channel.shutdownOutput();
    }

    /** Lets reads end as if the other end had said so. */
    void endInput() throws IOException {
        channel.shutdownInput();
    }

    /** Closes so that the other end sees a reset, where the kind of socket has that. */
    void reset() {
        try {
            if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException | UnsupportedOperationException gone) {
            // Closed already, which is all that is wanted.
        }
        close();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException broken) {
            // The descriptor is gone all the same.
        }
    }

    /** Gives the buffer back; the wire is not used any more by any thread. */
    void release() {
        close();
        buffers.giveBack(in);
    }
}
