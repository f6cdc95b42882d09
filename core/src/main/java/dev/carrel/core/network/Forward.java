package dev.carrel.core.network;

import dev.carrel.core.egress.ConnectionShare;
import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Joins every connection to a listening socket with a fresh one to somewhere else, and copies both
 * ways until both have ended. Nothing is judged here.
 */
final class Forward implements AutoCloseable {

    private static final int BUFFER = 1 << 16;
    private static final int MOST_CONNECTIONS = 512;
    private static final Duration A_MOMENT = Duration.ofMillis(10);
    private static final ConnectionShare SHARE = ConnectionShare.ofThisProcess();

    private final ServerSocketChannel server;
    private final Dial dial;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger served = new AtomicInteger();

    /** Where connections lead. */
    interface Dial {
        SocketChannel open() throws IOException;
    }

    /** Starts to accept; closes {@code server} in the end. */
    Forward(ServerSocketChannel server, Dial dial) {
        this.server = server;
        this.dial = dial;
        Thread.ofVirtual().name("forward-accept").start(this::accept);
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel client = server.accept();
                int had = served.get();
                if (had >= MOST_CONNECTIONS || !SHARE.take(had)) {
                    client.close();
                } else {
                    served.incrementAndGet();
                    Thread.ofVirtual().start(() -> serve(client));
                }
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException e) {
                // One that was gone before it was accepted; or no descriptors are left.
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(A_MOMENT);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(SocketChannel client) {
        open.add(client);
        try (client;
                SocketChannel host = dial.open()) {
            open.add(host);
            try {
                Thread up = Thread.ofVirtual().start(() -> copy(client, host));
                copy(host, client);
                up.join();
            } finally {
                open.remove(host);
            }
        } catch (IOException | InterruptedException e) {
            // Nobody listens there, or this is being closed: the client sees its end.
        } finally {
            open.remove(client);
            served.decrementAndGet();
            SHARE.giveBack();
        }
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        try {
            while (from.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
                buffer.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // A broken half breaks the other one, too.
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }

    /** Ends every connection and listens no more. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new HostOperationException("cannot stop listening: " + e.getMessage(), null, e);
        } finally {
            open.forEach(Forward::closeQuietly);
        }
    }
}
