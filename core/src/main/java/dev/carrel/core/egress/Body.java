package dev.carrel.core.egress;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Moves the body of a message, framed anew: what goes out is what was understood. */
final class Body {

    private static final byte[] LINE = {'\r', '\n'};
    private static final byte[] LAST = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Wire from;
    private final Wire to;
    private final boolean inChunks;

    /**
     * A body on its way.
     *
     * @param inChunks whether it goes out in chunks
     */
    Body(Wire from, Wire to, boolean inChunks) {
        this.from = from;
        this.to = to;
        this.inChunks = inChunks;
    }

    /**
     * Moves all of it.
     *
     * @throws EOFException where it is cut off; the other end is not told that it is complete
     */
    void move(Framing framing) throws IOException, BadMessage {
        switch (framing) {
            case Framing.None _ -> {}
            case Framing.Length(long bytes) -> {
                exactly(bytes);
                end();
            }
            case Framing.Chunked _ -> {
                chunks();
                end();
            }
            case Framing.UntilClose _ -> {
                while (from.await()) {
                    piece(Long.MAX_VALUE);
                }
                end();
            }
        }
    }

    private void end() throws IOException {
        if (inChunks) {
            to.write(LAST);
        }
    }

    private void chunks() throws IOException, BadMessage {
        ChunkReader reader = new ChunkReader(from);
        for (long size = reader.size(); size > 0; size = reader.size()) {
            exactly(size);
            reader.endOfChunk();
        }
        reader.trailer();
    }

    private void exactly(long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            if (!from.await()) {
                throw new EOFException("a body was cut off");
            }
            left -= piece(left);
        }
    }

    private int piece(long most) throws IOException {
        if (!inChunks) {
            return from.drainTo(to, most);
        }
        long size = Math.min(from.buffered(), most);
        to.write(ascii(String.format(Locale.ROOT, "%x\r\n", size)));
        int moved = from.drainTo(to, most);
        to.write(LINE);
        return moved;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
