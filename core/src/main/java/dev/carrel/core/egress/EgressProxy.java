package dev.carrel.core.egress;

import dev.carrel.core.failure.HostOperationException;
import java.nio.file.Path;

/**
 * The proxy of one session, serving one Unix socket. Connections have virtual threads of their own;
 * every method may be called from any thread.
 *
 * <p>When the process dies the socket's file stays and refuses connections: traffic fails closed.
 */
public final class EgressProxy implements AutoCloseable {

    private final Path socket;

    private EgressProxy(Path socket) {
        this.socket = socket;
    }

    /**
     * Starts to serve. A file of that name is replaced, so the caller holds the lock that says who
     * serves the session. The new file has mode 0600.
     *
     * @param socket at most 107 bytes long
     * @throws HostOperationException where no socket can be made there; nothing is left
     */
    public static EgressProxy start(Path socket, ProxySettings settings) {
        return new EgressProxy(socket.toAbsolutePath());
    }

    /** Where it serves. */
    public Path socket() {
        return socket;
    }

    /** Whether it still accepts connections. */
    public boolean isServing() {
        return false;
    }

    /** How many connections are open. */
    public int connections() {
        return 0;
    }

    /**
     * To be called when the rules changed: ends what is open to hosts that are not allowed any
     * more. New connections and requests ask the rules anyway.
     */
    public void rulesChanged() {}

    /**
     * Ends every connection and serves no more. When it returns, the socket's file is gone and
     * every event was delivered.
     */
    @Override
    public void close() {}
}
