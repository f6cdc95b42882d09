package dev.carrel.core.network;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.runtime.Bridge;
import dev.carrel.core.runtime.BridgePlace;
import dev.carrel.core.runtime.Joined;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/** A port of the session's loopback, on the host's at the same number, until it is closed. */
record Way(Bridge bridge, Forward service) implements SessionNetwork.PublishedPort {

    static Way open(NetworkSettings settings, Joined joined, int port) throws InterruptedException {
        ServerSocketChannel server = listening(port);
        BridgePlace place = BridgePlace.create(settings.files(), settings.identity());
        Forward forward = new Forward(server, place::connect);
        Bridge bridge =
                Bridge.start(
                        settings.runtime(),
                        settings.runner(),
                        settings.identity(),
                        joined,
                        place,
                        port);
        Way way = new Way(bridge, forward);
        boolean ready = false;
        try {
            ready = bridge.awaitReady();
            if (!ready) {
                throw new HostOperationException(
                        "port " + port + " of the session cannot be bridged: " + bridge.complaint(),
                        "carrel doctor tries what it needs");
            }
            return way;
        } finally {
            if (!ready) {
                way.close();
            }
        }
    }

    private static ServerSocketChannel listening(int port) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            try {
                server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
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

    @Override
    public void close() {
        try {
            service.close();
        } finally {
            bridge.close();
        }
    }
}
