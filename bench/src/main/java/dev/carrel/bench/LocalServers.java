package dev.carrel.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Servers on the loopback of this machine, for as long as this process runs. */
final class LocalServers {

    private static final int CHUNK = 1 << 18;

    private LocalServers() {}

    private interface Service {
        void serve(SocketChannel client) throws IOException;
    }

    /** Sends back what it gets; answers its port. */
    static int echo() throws IOException {
        return serving(client -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
            while (client.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    client.write(buffer);
                }
                buffer.clear();
            }
        });
    }

    /** Answers every request with so many bytes; answers its port. */
    static int download(long bytes) throws IOException {
        return serving(client -> {
            // The whole request of one that asks by GET fits, and comes at once.
            client.read(ByteBuffer.allocate(CHUNK));
            client.write(
                    ByteBuffer.wrap(
                            ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                                            + bytes
                                            + "\r\n\r\n")
                                    .getBytes(ISO_8859_1)));
            ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
            for (long left = bytes; left > 0; ) {
                buffer.clear().limit((int) Math.min(CHUNK, left));
                left -= client.write(buffer);
            }
        });
    }

    private static int serving(Service service) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 500);
        Thread.ofPlatform().daemon().start(() -> accept(server, service));
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private static void accept(ServerSocketChannel server, Service service) {
        while (server.isOpen()) {
            try {
                SocketChannel client = server.accept();
                Thread.ofVirtual().start(() -> serve(client, service));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void serve(SocketChannel client, Service service) {
        try (client) {
            service.serve(client);
        } catch (IOException e) {
            // It has gone.
        }
    }
}
