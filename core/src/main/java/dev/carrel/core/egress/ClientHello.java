package dev.carrel.core.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The first message of TLS, as far as it says whom it is for. With an encrypted ClientHello it is
 * the outer one that is read: it names the host that the network is meant to see.
 */
final class ClientHello {

    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_NAME = 0;
    private static final int LONGEST_RECORD = 1 << 14;
    private static final int LONGEST_HELLO = 1 << 16;
    private static final int MOST_RECORDS = 64;

    private final ByteArrayOutputStream raw = new ByteArrayOutputStream(2048);
    private final ByteArrayOutputStream handshake = new ByteArrayOutputStream(2048);
    private final ByteSource source;
    private Optional<String> serverName = Optional.empty();

    private ClientHello(ByteSource source) {
        this.source = source;
    }

    /** What began. */
    sealed interface Beginning {

        /**
         * TLS.
         *
         * @param serverName the name it asks for
         */
        record Tls(Optional<String> serverName) implements Beginning {}

        /** Nothing at all: the other end closed without a word. */
        record Silence() implements Beginning {}

        /** Something else, or TLS that is malformed. */
        record Other() implements Beginning {}
    }

    /**
     * A beginning, and the bytes that were read for it.
     *
     * @param bytes to be passed on first
     */
    record Read(Beginning beginning, ByteBuffer bytes) {}

    /** Reads as much as is needed, and at most some 70 kilobytes. */
    static Read read(ByteSource source) throws IOException {
        ClientHello hello = new ClientHello(source);
        Beginning beginning = hello.beginning();
        return new Read(beginning, ByteBuffer.wrap(hello.raw.toByteArray()));
    }

    private Beginning beginning() throws IOException {
        boolean whole;
        try {
            whole = gather() && parse(ByteBuffer.wrap(handshake.toByteArray()));
        } catch (BufferUnderflowException shorter) {
            whole = false;
        }
        if (whole) {
            return new Beginning.Tls(serverName);
        }
        return raw.size() == 0 ? new Beginning.Silence() : new Beginning.Other();
    }

    private int next() throws IOException {
        int next = source.next();
        if (next >= 0) {
            raw.write(next);
        }
        return next;
    }

    /** Collects records until the message in them is whole. */
    private boolean gather() throws IOException {
        for (int records = 0; records < MOST_RECORDS; records++) {
            // Byte by byte, so that nobody waits for more than what tells that this is no TLS.
            if (next() != HANDSHAKE || next() != 3 || next() > 4) {
                return false;
            }
            int length = next() << 8 | next();
            if (length < 1 || length > LONGEST_RECORD || !record(length)) {
                return false;
            }
            byte[] soFar = handshake.toByteArray();
            if (soFar[0] != CLIENT_HELLO) {
                return false;
            }
            if (soFar.length >= 4) {
                int whole = (soFar[1] & 0xff) << 16 | (soFar[2] & 0xff) << 8 | (soFar[3] & 0xff);
                if (whole > LONGEST_HELLO || soFar.length >= whole + 4) {
                    return whole <= LONGEST_HELLO;
                }
            }
        }
        return false;
    }

    private boolean record(int length) throws IOException {
        for (int i = 0; i < length; i++) {
            int next = next();
            if (next < 0) {
                return false;
            }
            handshake.write(next);
        }
        return true;
    }

    private boolean parse(ByteBuffer message) {
        int length = message.getInt() & 0xffffff;
        ByteBuffer hello = part(message, length);
        hello.getShort(); // version
        part(hello, 32); // random
        part(hello, hello.get() & 0xff); // session
        part(hello, hello.getShort() & 0xffff); // ciphers
        part(hello, hello.get() & 0xff); // compressions
        if (!hello.hasRemaining()) {
            return true;
        }
        ByteBuffer extensions = part(hello, hello.getShort() & 0xffff);
        boolean named = false;
        while (extensions.hasRemaining()) {
            int type = extensions.getShort() & 0xffff;
            ByteBuffer content = part(extensions, extensions.getShort() & 0xffff);
            if (type == SERVER_NAME) {
                // A second one could be the one that the host obeys.
                if (named || !name(content)) {
                    return false;
                }
                named = true;
            }
        }
        return !hello.hasRemaining();
    }

    /** Reads a list of exactly one name of the one kind that there is. */
    private boolean name(ByteBuffer content) {
        ByteBuffer list = part(content, content.getShort() & 0xffff);
        boolean hostName = list.get() == 0;
        ByteBuffer name = part(list, list.getShort() & 0xffff);
        byte[] bytes = new byte[name.remaining()];
        name.get(bytes);
        serverName = Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
        return hostName && bytes.length > 0 && !list.hasRemaining() && !content.hasRemaining();
    }

    private static ByteBuffer part(ByteBuffer whole, int length) {
        if (length > whole.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer part = whole.slice(whole.position(), length);
        whole.position(whole.position() + length);
        return part;
    }

    /** Whether bytes look like the first line of a request without TLS. */
    static boolean looksLikeHttp(ByteBuffer bytes) {
        byte[] start = new byte[Math.min(bytes.remaining(), 3)];
        bytes.duplicate().get(start);
        return start.length > 0 && new String(start, StandardCharsets.ISO_8859_1).matches("[A-Z]+");
    }
}
