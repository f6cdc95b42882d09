package dev.carrel.core.files;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what scripts print: fields that each end with one byte. */
final class Fields {

    private final byte[] bytes;
    private int at;

    Fields(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Whether a further field that is whole begins here. */
    boolean hasNext(int end) {
        return indexOf(end) >= 0;
    }

    /** Up to the byte that ends it, without it. */
    byte[] next(int end) {
        int stop = indexOf(end);
        if (stop < 0) {
            throw new IllegalStateException("a field is missing");
        }
        byte[] field = Arrays.copyOfRange(bytes, at, stop);
        at = stop + 1;
        return field;
    }

    String nextText(int end) {
        return new String(next(end), StandardCharsets.UTF_8);
    }

    /** All that was not read yet. */
    byte[] rest() {
        return Arrays.copyOfRange(bytes, at, bytes.length);
    }

    private int indexOf(int end) {
        for (int i = at; i < bytes.length; i++) {
            if (bytes[i] == end) {
                return i;
            }
        }
        return -1;
    }
}
