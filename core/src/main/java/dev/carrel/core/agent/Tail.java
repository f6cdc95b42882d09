package dev.carrel.core.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The end of a stream that is read to its end. Safe for many threads. */
final class Tail {

    private static final int KEPT = 16 * 1024;

    private byte[] kept = new byte[0];

    /** Reads to the end. */
    void read(InputStream from) {
        byte[] buffer = new byte[KEPT];
        try (from) {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                add(buffer, count);
            }
        } catch (IOException broken) {
            // What came until then counts.
        }
    }

    private synchronized void add(byte[] more, int count) {
        byte[] all = Arrays.copyOf(kept, kept.length + count);
        System.arraycopy(more, 0, all, kept.length, count);
        kept = Arrays.copyOfRange(all, Math.max(0, all.length - KEPT), all.length);
    }

    synchronized String text() {
        return new String(kept, StandardCharsets.UTF_8);
    }
}
