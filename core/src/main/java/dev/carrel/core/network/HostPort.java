package dev.carrel.core.network;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.runtime.Bridge;
import dev.carrel.core.runtime.Joined;
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
    private Optional<Way> way = Optional.empty();
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
        if (Bridge.portIsTaken(joined, port)) {
            return false;
        }
        Optional<Way> started = Way.toHost(settings, joined, port);
        synchronized (this) {
            if (!closed) {
                way = started;
                return started.isPresent();
            }
        }
        started.ifPresent(Way::close);
        return true;
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

    /** What ended although nobody closed it, in words. */
    synchronized Optional<String> broken() {
        return way.filter(served -> !served.isAlive())
                .map(_ -> "the bridge of port " + port + " was killed");
    }

    @Override
    public void close() {
        Optional<Way> served;
        synchronized (this) {
            closed = true;
            served = way;
        }
        served.ifPresent(Way::close);
    }
}
