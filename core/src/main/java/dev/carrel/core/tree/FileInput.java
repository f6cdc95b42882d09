package dev.carrel.core.tree;

import dev.carrel.core.posix.Descriptors;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads an open descriptor, and closes it. Failures are HostOperationExceptions.
 *
 * <p>Reading all at once takes a buffer of the size that the file had when it was opened.
 */
final class FileInput extends InputStream {

    private static final long LARGEST = 1L << 28;

    private final Place place;
    private final long size;
    private int descriptor;

    FileInput(int descriptor, long size, Place place) {
        this.descriptor = descriptor;
        this.size = size;
        this.place = place;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        int count = Descriptors.read(descriptor, into, offset, length);
        if (count < 0) {
            throw place.failure("read", count);
        }
        return count == 0 ? -1 : count;
    }

    @Override
    public byte[] readAllBytes() throws IOException {
        return readNBytes(Integer.MAX_VALUE);
    }

    @Override
    public byte[] readNBytes(int limit) throws IOException {
        // One more than there should be: so the end is found without a second buffer.
        int expected = (int) Math.min(Math.min(size + 1, limit), LARGEST);
        byte[] content = new byte[expected];
        int count = readNBytes(content, 0, expected);
        if (count < expected) {
            return Arrays.copyOf(content, count);
        }
        byte[] rest = super.readNBytes(limit - count); // it grew meanwhile, or is that large
        byte[] all = Arrays.copyOf(content, count + rest.length);
        System.arraycopy(rest, 0, all, count, rest.length);
        return all;
    }

    @Override
    public void close() {
        int open = descriptor;
        descriptor = -1;
        if (open >= 0) {
            Descriptors.close(open); // nothing can be lost by a failure to close after reading
        }
    }
}
