package dev.carrel.core.egress;

import java.util.List;

/** How the end of a body is found. */
sealed interface Framing {

    /** There is no body. */
    record None() implements Framing {}

    /** So many bytes. */
    record Length(long bytes) implements Framing {}

    /** In chunks, the last of which is empty. */
    record Chunked() implements Framing {}

    /** All that comes before the connection ends; only of answers. */
    record UntilClose() implements Framing {}

    /** Whether nothing follows the head. */
    default boolean isEmpty() {
        return this instanceof None || (this instanceof Length(long bytes) && bytes == 0);
    }

    /**
     * What the fields say.
     *
     * @param otherwise where they say nothing
     * @throws BadMessage where two programs could understand two things
     */
    static Framing of(Fields fields, int minorVersion, Framing otherwise) throws BadMessage {
        List<String> codings = fields.all("transfer-encoding");
        List<String> lengths = fields.all("content-length");
        if (codings.isEmpty() && lengths.isEmpty()) {
            return otherwise;
        }
        if (!codings.isEmpty()) {
            if (!lengths.isEmpty()) {
                throw BadMessage.request("a message has a length and a transfer coding");
            }
            if (minorVersion == 0) {
                throw BadMessage.request("a message of HTTP/1.0 has a transfer coding");
            }
            if (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked")) {
                throw BadMessage.request("a transfer coding is not just chunked");
            }
            return new Chunked();
        }
        if (lengths.size() > 1) {
            throw BadMessage.request("a message has two lengths");
        }
        return new Length(length(lengths.getFirst()));
    }

    private static long length(String text) throws BadMessage {
        boolean digits = !text.isEmpty() && text.length() <= 18;
        for (int i = 0; i < text.length() && digits; i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        if (!digits) {
            throw BadMessage.request("the length of a message is no number");
        }
        return Long.parseLong(text);
    }
}
