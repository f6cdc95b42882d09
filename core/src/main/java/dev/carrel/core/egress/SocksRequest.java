package dev.carrel.core.egress;

import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The messages of SOCKS5 (RFC 1928), as far as a client asks for a connection. */
final class SocksRequest {

    static final int VERSION = 5;
    static final int GRANTED = 0;
    static final int GENERAL_FAILURE = 1;
    static final int NOT_ALLOWED = 2;
    static final int HOST_UNREACHABLE = 4;
    static final int REFUSED = 5;
    static final int COMMAND_NOT_SUPPORTED = 7;
    static final int ADDRESS_NOT_SUPPORTED = 8;

    private static final int NO_AUTHENTICATION = 0;
    private static final int NONE_ACCEPTABLE = 0xff;
    private static final int CONNECT = 1;

    private SocksRequest() {}

    /** A request that is answered with a code and nothing else. */
    static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final int code;

        RefusedException(int code, String why) {
            super(why);
            this.code = code;
        }

        int code() {
            return code;
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }

    /** Reads which methods a client offers; the answer to it. Accepted is only to give no name. */
    static byte[] greeting(ByteSource source) throws IOException {
        boolean accepted = false;
        boolean version = number(source) == VERSION;
        int count = number(source);
        for (int i = 0; i < count; i++) {
            accepted |= number(source) == NO_AUTHENTICATION;
        }
        return new byte[] {
            VERSION, (byte) (version && accepted ? NO_AUTHENTICATION : NONE_ACCEPTABLE)
        };
    }

    /** Whether an answer to a greeting lets the client go on. */
    static boolean accepts(byte[] answer) {
        return answer[1] == NO_AUTHENTICATION;
    }

    /** Reads whom a client wants to be connected to. */
    static Authority read(ByteSource source) throws IOException, RefusedException, BadMessage {
        if (number(source) != VERSION) {
            throw new RefusedException(GENERAL_FAILURE, "the request is not of SOCKS5");
        }
        int command = number(source);
        if (number(source) != 0) {
            throw new RefusedException(GENERAL_FAILURE, "the reserved byte is not zero");
        }
        String host = host(source);
        int port = number(source) << 8 | number(source);
        if (command != CONNECT) {
            throw new RefusedException(COMMAND_NOT_SUPPORTED, "only CONNECT is served");
        }
        return Authority.parse(host + ":" + port, -1);
    }

    private static String host(ByteSource source) throws IOException, RefusedException {
        return switch (number(source)) {
            case 1 -> new Host.Literal(IpAddress.of(bytes(source, 4))).toString();
            case 4 -> new Host.Literal(IpAddress.of(bytes(source, 16))).toString();
            case 3 -> {
                byte[] name = bytes(source, number(source));
                String text = new String(name, StandardCharsets.ISO_8859_1);
                // Some clients send the text of an IPv6 address as a name.
                boolean six = text.indexOf(':') >= 0 && !text.startsWith("[");
                yield six ? "[" + text + "]" : text;
            }
            default ->
                    throw new RefusedException(
                            ADDRESS_NOT_SUPPORTED, "the kind of the address is unknown");
        };
    }

    private static byte[] bytes(ByteSource source, int count) throws IOException {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) number(source);
        }
        return bytes;
    }

    private static int number(ByteSource source) throws IOException {
        int next = source.next();
        if (next < 0) {
            throw new EOFException("a request of SOCKS was cut off");
        }
        return next;
    }

    /** An answer with this code, and no address. */
    static byte[] answer(int code) {
        return new byte[] {VERSION, (byte) code, 0, 1, 0, 0, 0, 0, 0, 0};
    }
}
