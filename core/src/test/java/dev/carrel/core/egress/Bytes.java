package dev.carrel.core.egress;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/** Bytes that a reader of a test gets, and how many of them it took. */
final class Bytes implements ByteSource {

    private final ByteArrayInputStream in;
    private final int length;

    Bytes(byte[] bytes) {
        this.in = new ByteArrayInputStream(bytes);
        this.length = bytes.length;
    }

    /** A character a byte. */
    static Bytes of(String text) {
        return new Bytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public int next() {
        return in.read();
    }

    int taken() {
        return length - in.available();
    }
}
