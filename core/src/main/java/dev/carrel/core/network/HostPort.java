package dev.carrel.core.network;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.runtime.Joined;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * A port of the host's loopback that a session reaches at the same number. Where another process
 * serves it, or a program of the session listens there, that one goes first; this one follows as
 * soon as the port is free. Safe for many threads.
 */
final class HostPort implements AutoCloseable {

    private static final long LOOK_MILLIS = 250;

    private final NetworkSettings settings;
    private final Joined joined;
    private final int port;
    private Optional<Forward> forward = Optional.empty();
    private boolean closed;

    private HostPort(NetworkSettings settings, Joined joined, int port) {
        this.settings = settings;
        this.joined = joined;
        this.port = port;
    }

    /** Returns when somebody serves it. */
    static HostPort open(NetworkSettings settings, Joined joined, int port)
            throws InterruptedException {
        HostPort opened = new HostPort(settings, joined, port);
        if (!opened.serve()) {
            Thread.ofVirtual().name("host-port").start(opened::follow);
        }
        return opened;
    }

    /** Whether this one serves it now. */
    private boolean serve() throws InterruptedException {
        Optional<ServerSocketChannel> listening = settings.listenInside(joined, port);
        if (listening.isEmpty()) {
            return false;
        }
        Forward started = new Forward(listening.get(), this::dial);
        synchronized (this) {
            if (!closed) {
                forward = Optional.of(started);
                return true;
            }
        }
        started.close();
        return true;
    }

    private SocketChannel dial() throws IOException {
        return SocketChannel.open(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
    }

    private void follow() {
        try {
            do {
                Thread.sleep(LOOK_MILLIS);
            } while (!isClosed() && !serve());
        } catch (InterruptedException | CarrelException e) {
            // The session has ended meanwhile: there is nobody to serve.
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        Optional<Forward> served;
        synchronized (this) {
            closed = true;
            served = forward;
        }
        served.ifPresent(Forward::close);
    }
}
