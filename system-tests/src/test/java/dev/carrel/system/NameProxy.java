package dev.carrel.system;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A proxy as companies have them, above Carrel's own: it gets names, and leads every one to one
 * port of this machine. So the names keep their usual port, which nobody but root may serve here.
 */
final class NameProxy implements AutoCloseable {

    private final ServerSocket door;
    private final int target;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    NameProxy(int target) throws IOException {
        this.target = target;
        door = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return door.getLocalPort();
    }

    /** The hosts and ports that clients wanted. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    private void serve() {
        try {
            while (true) {
                Socket client = door.accept();
                Thread.ofVirtual().start(() -> lead(client));
            }
        } catch (IOException closed) {
            // That is how it ends.
        }
    }

    private void lead(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            String head = head(client.getInputStream());
            String[] words = head.split(" ", 3);
            if (!words[0].equals("CONNECT")) {
                throw new IOException("not a tunnel: " + head);
            }
            asked.add(words[1]);
            client.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Thread back = Thread.ofVirtual().start(() -> pass(server, client));
            pass(client, server);
            back.join();
        } catch (IOException | InterruptedException gone) {
            // A client that hangs up is a usual thing.
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        while (!read.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("ended early");
            }
            read.write(next);
        }
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException gone) {
            // The other direction ends by itself.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
