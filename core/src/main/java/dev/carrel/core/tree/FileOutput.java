package dev.carrel.core.tree;

import dev.carrel.core.posix.Descriptors;
import java.io.OutputStream;
import java.util.Objects;

/**
 * Writes a new file, unbuffered; failures are HostOperationExceptions. A file whose writing failed
 * stays behind, incomplete: the one who created it removes it.
 */
public final class FileOutput extends OutputStream {

    private static final int SET_ID_BITS = 06000;

    private final Place place;
    private final int mode;
    private int descriptor;

    FileOutput(int descriptor, int mode, Place place) {
        this.descriptor = descriptor;
        this.mode = mode;
        this.place = place;
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from) {
        write(from, 0, from.length);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, from.length);
        for (int done = 0; done < length; ) {
            int count = Descriptors.write(descriptor, from, offset + done, length - done);
            if (count < 0) {
                throw place.failure("write", count);
            }
            done += count;
        }
    }

    /** Waits until the bytes are on disk. */
    public void sync() {
        check(Descriptors.sync(descriptor), "sync");
    }

    int descriptor() {
        return descriptor;
    }

    void check(long result, String attempt) {
        if (result < 0) {
            throw place.failure(attempt, result);
        }
    }

    @Override
    public void close() {
        int open = descriptor;
        descriptor = -1;
        if (open < 0) {
            return;
        }
        // The kernel drops set-id bits whenever an ordinary user writes.
        int restored = (mode & SET_ID_BITS) == 0 ? 0 : Descriptors.chmod(open, mode);
        int closed = Descriptors.close(open);
        check(restored, "set the mode of");
        check(closed, "write"); // network file systems report a full disk here
    }
}
