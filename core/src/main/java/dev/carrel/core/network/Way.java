package dev.carrel.core.network;

import dev.carrel.core.bwrap.BridgeOptions.Direction;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.runtime.Bridge;
import dev.carrel.core.runtime.BridgePlace;
import dev.carrel.core.runtime.Joined;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** One port that leads out of a session, or into it: a bridge, and what serves its other end. */
record Way(Bridge bridge, Forward service) implements AutoCloseable {

    /**
     * A port of the host's loopback, inside at the same number; empty if something listens there
     * inside.
     */
    static Optional<Way> toHost(NetworkSettings settings, Joined joined, int port)
            throws InterruptedException {
        BridgePlace place = BridgePlace.create(settings.files(), settings.identity());
        Forward forward =
                new Forward(
                        place.listen(settings.identity()),
                        () -> SocketChannel.open(loopback(port)));
        return opened(settings, joined, place, new Direction.Outward(port), forward);
    }

    /** A port of the session's loopback, on the host's at the same number. */
    static Way fromHost(NetworkSettings settings, Joined joined, int port)
            throws InterruptedException {
        ServerSocketChannel server = listening(port);
        BridgePlace place = BridgePlace.create(settings.files(), settings.identity());
        Forward forward = new Forward(server, place::connect);
        // Nothing else makes that socket.
        return opened(settings, joined, place, new Direction.Inward(port), forward).orElseThrow();
    }

    private static Optional<Way> opened(
            NetworkSettings settings,
            Joined joined,
            BridgePlace place,
            Direction direction,
            Forward service)
            throws InterruptedException {
        Way way = new Way(start(settings, joined, place, direction), service);
        boolean ready = false;
        try {
            ready = way.bridge.awaitReady();
            if (!ready && !way.bridge.portWasTaken()) {
                throw new HostOperationException(
                        "port "
                                + direction.port()
                                + " of the session cannot be bridged: "
                                + way.bridge.complaint(),
                        "It needs socat on the host: apt install socat. carrel doctor tries it.");
            }
        } finally {
            if (!ready) {
                way.close();
            }
        }
        return ready ? Optional.of(way) : Optional.empty();
    }

    static Bridge start(
            NetworkSettings settings, Joined joined, BridgePlace place, Direction direction) {
        return Bridge.start(
                settings.runtime(),
                settings.runner(),
                settings.identity(),
                joined,
                place,
                direction);
    }

    private static ServerSocketChannel listening(int port) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            try {
                server.bind(loopback(port));
                return server;
            } catch (IOException e) {
                server.close();
                throw e;
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "port " + port + " of the host cannot be listened at: " + e.getMessage(),
                    "Another program may use it; choose another one, or end that program.",
                    e);
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    boolean isAlive() {
        return bridge.isAlive();
    }

    @Override
    public void close() {
        try {
            service.close();
        } finally {
            bridge.close();
        }
    }
}
