package dev.carrel.core.egress;

import java.io.IOException;
import java.util.Set;

/** Reads what stands around the bytes of a body in chunks (RFC 9112, 7.1). */
final class ChunkReader {

    private static final int LONGEST_LINE = 512;
    private static final int LONGEST_TRAILER = 8 * 1024;
    private static final int MOST_DIGITS = 15;

    /** What must not come after a body, for it decides what the message is. */
    private static final Set<String> NEVER_TRAILING =
            Set.of(
                    "host",
                    "content-length",
                    "transfer-encoding",
                    "connection",
                    "authorization",
                    "proxy-authorization",
                    "cookie",
                    "set-cookie");

    private final ByteSource source;

    ChunkReader(ByteSource source) {
        this.source = source;
    }

    /** The size of the chunk that follows; extensions are dropped. */
    long size() throws IOException, BadMessage {
        String line = new HeadReader(source, LONGEST_LINE).line();
        int end = line.indexOf(';');
        String digits = end < 0 ? line : line.substring(0, end);
        if (digits.isEmpty() || digits.length() > MOST_DIGITS) {
            throw BadMessage.request("a chunk has no size");
        }
        long size = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw BadMessage.request("the size of a chunk is no number");
            }
            size = size << 4 | digit;
        }
        return size;
    }

    /** The line break behind the bytes of a chunk. */
    void endOfChunk() throws IOException, BadMessage {
        if (source.next() != '\r' || source.next() != '\n') {
            throw BadMessage.request("a chunk is longer than its size");
        }
    }

    /** What comes behind the last chunk; it is dropped. */
    void trailer() throws IOException, BadMessage {
        Fields fields = new HeadReader(source, LONGEST_TRAILER).fields();
        for (String name : NEVER_TRAILING) {
            if (fields.has(name)) {
                throw BadMessage.request("the field " + name + " stands behind the body");
            }
        }
    }
}
