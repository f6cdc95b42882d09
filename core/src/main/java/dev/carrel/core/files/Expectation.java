package dev.carrel.core.files;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What must stand where a file is written. */
public sealed interface Expectation {

    /** Whatever is there is exchanged. */
    record Anything() implements Expectation {}

    /** There must be nothing. */
    record Nothing() implements Expectation {}

    /**
     * A file with this content.
     *
     * @param sha256 of the content, in lower-case hexadecimal
     */
    record Content(String sha256) implements Expectation {

        /** The content that was read. */
        public static Content of(byte[] content) {
            try {
                byte[] sum = MessageDigest.getInstance("SHA-256").digest(content);
                return new Content(HexFormat.of().formatHex(sum));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }
    }
}
