package dev.carrel.core.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback that does with each connection what a test says. */
final class LocalServer implements AutoCloseable {

    /** What is done with a connection; it is closed afterwards. */
    @FunctionalInterface
    interface Service {
        void serve(Socket socket) throws IOException, InterruptedException;
    }

    private final ServerSocket server;
    private final Service service;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final List<Integer> own = new CopyOnWriteArrayList<>();

    private LocalServer(Service service) throws IOException {
        this.server =
                new ServerSocket(0, 1024, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        this.service = service;
        Thread.ofVirtual().start(this::accept);
    }

    static LocalServer serving(Service service) throws IOException {
        return new LocalServer(service);
    }

    /** One that sends back what it gets. */
    static LocalServer echo() throws IOException {
        return serving(socket -> {
            socket.getInputStream().transferTo(socket.getOutputStream());
            socket.shutdownOutput();
        });
    }

    /** One that reads the head of a request, keeps it, and says this. */
    static LocalServer answering(String answer) throws IOException {
        LocalServer[] self = new LocalServer[1];
        self[0] =
                serving(socket -> {
                    self[0].heads.add(head(socket.getInputStream()));
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                });
        return self[0];
    }

    /** A short answer of HTTP. */
    static LocalServer http(String body) throws IOException {
        return answering("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            service.serve(socket);
        } catch (IOException | InterruptedException gone) {
            // So is the client.
        }
    }

    int port() {
        return server.getLocalPort();
    }

    SocketAddress address() {
        return server.getLocalSocketAddress();
    }

    /**
     * How many connections there were until now. A connection of its own comes after them in the
     * queue: once that was accepted, all of them were.
     */
    int connections() throws IOException {
        try (Socket last = new Socket()) {
            last.connect(address());
            own.add(last.getLocalPort());
            while (sockets.stream().noneMatch(socket -> socket.getPort() == last.getLocalPort())) {
                Thread.onSpinWait();
            }
        }
        return (int) sockets.stream().filter(socket -> !own.contains(socket.getPort())).count();
    }

    /** The heads of requests that were read. */
    List<String> heads() {
        return heads;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
