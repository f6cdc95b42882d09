package dev.carrel.core.tree;

import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Errno;

/**
 * The content of one open file into another, new one, by the cheapest way the file systems offer:
 * shared blocks, else a copy inside the kernel, else read and write. Holes stay holes.
 */
final class FileCopy {

    private static final int BUFFER = 1 << 16;

    private final int from;
    private final FileOutput to;
    private final long size;
    private final Place source;
    private boolean kernelCopies = true;

    FileCopy(int from, long size, Place source, FileOutput to) {
        this.from = from;
        this.size = size;
        this.source = source;
        this.to = to;
    }

    void run() {
        if (size == 0 || Descriptors.cloneBlocks(from, to.descriptor()) == 0) {
            return;
        }
        long at = 0;
        while (at < size) {
            long data = Descriptors.seek(from, at, Descriptors.SEEK_DATA);
            if (data == -Errno.ENXIO) {
                break; // only a hole is left
            }
            // A file system that knows no holes answers the offset itself and the end of the file.
            checkSource(data);
            long end = checkSource(Descriptors.seek(from, data, Descriptors.SEEK_HOLE));
            at = copy(data, Math.min(end, size));
        }
        to.check(Descriptors.truncate(to.descriptor(), size), "set the size of");
    }

    private long copy(long start, long end) {
        long at = start;
        while (at < end && kernelCopies) {
            long count = Descriptors.copyRange(from, to.descriptor(), at, end - at);
            if (count == 0) {
                return size; // it became shorter meanwhile
            }
            if (count < 0) {
                requireUnsupported(count);
                kernelCopies = false;
            }
            at += Math.max(count, 0);
        }
        return at < end ? readAndWrite(at, end) : at;
    }

    /** Old kernels and some file systems cannot; anything else is a real failure. */
    private void requireUnsupported(long result) {
        switch ((int) -result) {
            case Errno.EXDEV, Errno.EINVAL, Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.EPERM -> {}
            default -> to.check(result, "write");
        }
    }

    private long readAndWrite(long start, long end) {
        checkSource(Descriptors.seek(from, start, Descriptors.SEEK_SET));
        to.check(Descriptors.seek(to.descriptor(), start, Descriptors.SEEK_SET), "write");
        byte[] buffer = new byte[(int) Math.min(BUFFER, end - start)];
        long at = start;
        while (at < end) {
            int wanted = (int) Math.min(buffer.length, end - at);
            int count = (int) checkSource(Descriptors.read(from, buffer, 0, wanted));
            if (count == 0) {
                return size;
            }
            to.write(buffer, 0, count);
            at += count;
        }
        return at;
    }

    private long checkSource(long result) {
        if (result < 0) {
            throw source.failure("read", result);
        }
        return result;
    }
}
