package dev.carrel.core.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A client of a proxy that says exactly what a test wants. */
final class Client implements AutoCloseable {

    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    private Client(SocketChannel channel) {
        this.channel = channel;
        this.in = Channels.newInputStream(channel);
        this.out = Channels.newOutputStream(channel);
    }

    static Client of(Path socket) throws IOException {
        return new Client(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    Client send(byte[] bytes) throws IOException {
        out.write(bytes);
        return this;
    }

    /** Sends text, a character a byte. */
    Client send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends lines with their ends, and an empty one. */
    Client request(String... lines) throws IOException {
        return send(String.join("\r\n", lines) + "\r\n\r\n");
    }

    /** Says that no more will come. */
    Client end() throws IOException {
        channel.shutdownOutput();
        return this;
    }

    /** Reads until an empty line. */
    String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        return head.toString();
    }

    byte[] bytes(int count) throws IOException {
        return in.readNBytes(count);
    }

    String text(int count) throws IOException {
        return new String(bytes(count), StandardCharsets.ISO_8859_1);
    }

    /** Reads until the other end closes or breaks. */
    String rest() {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                rest.write(next);
            }
        } catch (IOException reset) {
            // What came before is what counts.
        }
        return rest.toString(StandardCharsets.ISO_8859_1);
    }

    SocketChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
