package dev.carrel.core.egress;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.EgressEvent.Protocol;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The proxy of one session, serving one listening socket. Connections have virtual threads of their
 * own; every method may be called from any thread.
 *
 * <p>When the process dies the socket is gone and connections are refused: traffic fails closed.
 */
public final class EgressProxy implements AutoCloseable {

    private static final Duration A_MOMENT = Duration.ofMillis(50);
    private static final Duration LONGEST_END = Duration.ofSeconds(5);
    private static final long SHORTEST_WATCH = 10;
    private static final long LONGEST_WATCH = 1000;

    private final ServerSocketChannel server;
    private final Lookups lookups;
    private final Border border;
    private final ConnectionShare share;
    private final Map<Connection, Thread> open = new ConcurrentHashMap<>();
    private final AtomicReference<Optional<RuntimeException>> failure =
            new AtomicReference<>(Optional.empty());
    private long accepted;
    private boolean full;

    private EgressProxy(ServerSocketChannel server, ProxySettings settings, ConnectionShare share) {
        this.server = server;
        this.lookups = new Lookups(settings.resolver(), settings.limits().dialTime());
        this.border = Border.of(settings, lookups);
        this.share = share;
    }

    /** Starts to serve whoever connects to the socket, which is closed with the proxy. */
    public static EgressProxy start(ServerSocketChannel server, ProxySettings settings) {
        return start(server, settings, ConnectionShare.ofThisProcess());
    }

    static EgressProxy start(
            ServerSocketChannel server, ProxySettings settings, ConnectionShare share) {
        EgressProxy proxy = new EgressProxy(server, settings, share);
        Thread.ofVirtual().name("egress-accept").start(proxy::accept);
        Thread.ofVirtual().name("egress-watch").start(proxy::watch);
        return proxy;
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                take(server.accept());
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException refused) {
                // No descriptors are left, perhaps; those that are open go on and will end.
                pause(A_MOMENT);
            }
        }
    }

    private void take(SocketChannel channel) throws IOException {
        accepted++;
        if (open.size() >= border.limits().connections() || !share.take(open.size())) {
            channel.close();
            if (!full) {
                full = true;
                guarded(() -> border.refused(accepted, Protocol.UNKNOWN, "too many connections"));
            }
            return;
        }
        full = false;
        boolean serving = false;
        try {
            begin(channel);
            serving = true;
        } finally {
            if (!serving) {
                share.giveBack();
                channel.close();
            }
        }
    }

    private void begin(SocketChannel channel) throws IOException {
        if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        Connection connection = new Connection(accepted, channel, border);
        Thread thread = Thread.ofVirtual().unstarted(() -> serve(connection));
        open.put(connection, thread);
        thread.start();
        if (!server.isOpen()) {
            connection.cut("the proxy was stopped");
        }
    }

    private void serve(Connection connection) {
        guarded(() -> {
            try {
                connection.run();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        open.remove(connection);
        share.giveBack();
    }

    /** What a listener or a supplier of rules threw ends one connection, and is kept. */
    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException thrown) {
            failure.compareAndSet(Optional.empty(), Optional.of(thrown));
        }
    }

    private void watch() {
        EgressLimits limits = border.limits();
        Duration shortest = limits.headTime();
        for (Duration other : new Duration[] {limits.keepAlive(), limits.idle()}) {
            shortest = shortest.compareTo(other) < 0 ? shortest : other;
        }
        Duration step =
                Duration.ofMillis(
                        Math.clamp(shortest.toMillis() / 4, SHORTEST_WATCH, LONGEST_WATCH));
        while (server.isOpen() || !open.isEmpty()) {
            long now = System.nanoTime();
            open.keySet().forEach(connection -> connection.check(now));
            pause(step);
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it still accepts connections. */
    public boolean isServing() {
        return server.isOpen();
    }

    /** How many connections are open. */
    public int connections() {
        return open.size();
    }

    /** What a listener, or who supplies the rules, threw first; its connection was ended. */
    public Optional<RuntimeException> failure() {
        return failure.get();
    }

    /**
     * To be called when the rules changed: ends what is open to hosts that are not allowed any
     * more. New connections and requests ask the rules anyway.
     */
    public void rulesChanged() {
        open.keySet().forEach(connection -> guarded(connection::judgeAgain));
    }

    /** Ends every connection and serves no more. When it returns, every event was delivered. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failed) {
            throw new HostOperationException("cannot stop serving a network", null, failed);
        } finally {
            long end = System.nanoTime() + LONGEST_END.toNanos();
            open.forEach((connection, _) -> connection.cut("the proxy was stopped"));
            open.forEach((_, thread) -> join(thread, end));
            lookups.close();
        }
    }

    private static void join(Thread thread, long end) {
        try {
            thread.join(Duration.ofNanos(Math.max(end - System.nanoTime(), 1)));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
