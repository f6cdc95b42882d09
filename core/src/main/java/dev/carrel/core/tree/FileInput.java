package dev.carrel.core.tree;

import dev.carrel.core.posix.Descriptors;
import java.io.InputStream;
import java.util.Objects;

/** Reads an open descriptor, and closes it. Failures are HostOperationExceptions. */
final class FileInput extends InputStream {

    private final Place place;
    private int descriptor;

    FileInput(int descriptor, Place place) {
        this.descriptor = descriptor;
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
    public void close() {
        int open = descriptor;
        descriptor = -1;
        if (open >= 0) {
            Descriptors.close(open); // nothing can be lost by a failure to close after reading
        }
    }
}
