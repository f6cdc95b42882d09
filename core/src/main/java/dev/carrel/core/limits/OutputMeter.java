package dev.carrel.core.limits;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a command writes, on all its outputs together, and says once when it is too much. */
public final class OutputMeter {

    private static final int CHUNK = 1 << 16;

    private final long limit;
    private final Runnable over;
    private final AtomicLong written = new AtomicLong();

    /**
     * A meter at zero.
     *
     * @param limit in bytes
     * @param over called once, when more than that was written
     */
    public OutputMeter(long limit, Runnable over) {
        this.limit = limit;
        this.over = over;
    }

    /** Takes note of bytes; answers how many of them are still within the limit. */
    public int count(int bytes) {
        long before = written.getAndAdd(bytes);
        if (before <= limit && before + bytes > limit) {
            over.run();
        }
        return Math.clamp(limit - before, 0, bytes);
    }

    /** Whether it was too much. */
    public boolean isOver() {
        return written.get() > limit;
    }

    /** The same stream, counted; what is above the limit is read as if it were not there. */
    public InputStream counting(InputStream stream) {
        return new Counting(stream, this);
    }

    /**
     * Copies a stream to its end, and counts. A reader that is gone does not stop the command from
     * writing on.
     */
    public void copy(InputStream from, OutputStream to) {
        byte[] buffer = new byte[CHUNK];
        boolean heard = true;
        try (from) {
            int count;
            while ((count = from.read(buffer)) >= 0) {
                int within = count(count);
                heard = heard && write(to, buffer, within);
            }
        } catch (IOException e) {
            // The process is gone; what was read is all there is.
        }
    }

    private static boolean write(OutputStream to, byte[] buffer, int count) {
        try {
            to.write(buffer, 0, count);
            to.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static final class Counting extends FilterInputStream {

        private final OutputMeter meter;

        Counting(InputStream stream, OutputMeter meter) {
            super(stream);
            this.meter = meter;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            int count = read(one, 0, 1);
            return count < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            int within = 0;
            while (within == 0) {
                int count = super.read(buffer, from, length);
                if (count <= 0) {
                    return count;
                }
                within = meter.count(count);
            }
            return within;
        }
    }
}
