package dev.carrel.core.session.clients;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** An HTTPS server on loopback for what it is told to serve; for GET and HEAD, one a connection. */
final class FileServer implements AutoCloseable {

    private final ServerSocket server;
    private final Map<String, byte[]> contents = new ConcurrentHashMap<>();

    FileServer(SSLContext tls) throws IOException {
        server =
                tls.getServerSocketFactory()
                        .createServerSocket(
                                0, 64, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void serve(String path, byte[] content) {
        contents.put(path, content);
    }

    void serve(String path, String content) {
        serve(path, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Every file of a directory. */
    void serve(String path, Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                serve(path + "/" + directory.relativize(file), Files.readAllBytes(file));
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> answer(socket));
            }
        } catch (IOException closed) {
            // The tests are over.
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            String[] request = head(socket.getInputStream()).split("[ ?]", 3);
            byte[] content = contents.get(request.length > 1 ? request[1] : "");
            String type =
                    request.length > 1 && request[1].startsWith("/simple/")
                            ? "text/html"
                            : "application/octet-stream";
            byte[] body = content == null ? new byte[0] : content;
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("HTTP/1.1 "
                                    + (content == null ? "404 Not Found" : "200 OK")
                                    + "\r\nContent-Type: "
                                    + type
                                    + "\r\nContent-Length: "
                                    + body.length
                                    + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            if (request[0].equals("GET")) {
                out.write(body);
            }
            out.flush();
        } catch (IOException gone) {
            // So is the client.
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
