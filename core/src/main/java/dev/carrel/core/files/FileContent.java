package dev.carrel.core.files;

import java.nio.charset.StandardCharsets;

/**
 * What was read of a file.
 *
 * @param bytes the part that was asked for
 * @param size how large the whole file was, in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record FileContent(byte[] bytes, long size) {

    /** The bytes as UTF-8 text; what is not UTF-8 becomes the replacement character. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
