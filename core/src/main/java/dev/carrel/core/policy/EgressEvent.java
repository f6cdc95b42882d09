package dev.carrel.core.policy;

import java.time.Instant;
import java.util.Optional;

/**
 * What happened at the border of a session's network. Texts are printable ASCII of bounded length;
 * no event holds a header, a query, a user, a password or a body.
 */
public sealed interface EgressEvent {

    /** When. */
    Instant time();

    /** The connection's number, counted from 1 while one proxy serves. */
    long connection();

    /** The host in its normal form; what was asked for, escaped, where it has none. */
    String host();

    /** Its port; 0 where none was understood. */
    int port();

    /** How it was asked for. */
    enum Protocol {
        /** A tunnel by HTTP's CONNECT. */
        CONNECT,
        /** An HTTP request in absolute form. */
        HTTP,
        /** A tunnel by SOCKS5. */
        SOCKS,
        /** Nothing that was understood. */
        UNKNOWN
    }

    /**
     * A connection was made. A {@link Closed} of the same number follows.
     *
     * @param rule the rule that allowed it
     * @param address where it leads; the proxy above, where there is one
     */
    record Allowed(
            Instant time,
            long connection,
            Protocol protocol,
            String host,
            int port,
            String rule,
            String address)
            implements EgressEvent {}

    /**
     * The rules denied it.
     *
     * @param rule the rule that denied it, if one did
     * @param reason what decided, in words
     * @param cure the narrowest rule that would allow it, if there is one
     */
    record Denied(
            Instant time,
            long connection,
            Protocol protocol,
            String host,
            int port,
            Optional<String> rule,
            String reason,
            Optional<String> cure)
            implements EgressEvent {}

    /**
     * It was no request that could be judged, or one too many.
     *
     * @param reason why, in words
     */
    record Refused(
            Instant time, long connection, Protocol protocol, String host, int port, String reason)
            implements EgressEvent {}

    /**
     * It was allowed, and could not be reached.
     *
     * @param reason why, in words
     */
    record Failed(
            Instant time, long connection, Protocol protocol, String host, int port, String reason)
            implements EgressEvent {}

    /**
     * A connection ended.
     *
     * @param up bytes that the session sent
     * @param down bytes that it received
     * @param reason how it ended: {@code done}, or why it was cut
     */
    record Closed(
            Instant time, long connection, String host, int port, long up, long down, String reason)
            implements EgressEvent {}
}
