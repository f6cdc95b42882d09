package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.testing.Authority;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real client of HTTP and TLS, over a bridge as there is one in a session. */
@Timeout(60)
class TlsClientIT {

    private static final String NAME = "tls.example";

    private static SSLContext tls;

    @BeforeAll
    static void certify() throws Exception {
        tls = Authority.of(NAME).tls();
    }

    /** Answers requests with the length of their bodies, by TLS. */
    private static void serve(Socket plain) throws IOException {
        try (Socket socket =
                tls.getSocketFactory().createSocket(plain, null, plain.getPort(), true)) {
            ((SSLSocket) socket).setUseClientMode(false);
            String head = LocalServer.head(socket.getInputStream());
            int length =
                    Integer.parseInt(head.replaceAll("(?s).*Content-Length: ([0-9]+).*", "$1"));
            String answer = "got " + socket.getInputStream().readNBytes(length).length;
            String text =
                    "HTTP/1.1 200 OK\r\nContent-Length: " + answer.length() + "\r\n\r\n" + answer;
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** What stands inside of a session: a port that leads to the proxy's socket. */
    private static LocalServer bridge(ServedProxy proxy) throws IOException {
        return LocalServer.serving(socket -> {
            try (Client client = proxy.client()) {
                Thread up = Thread.ofVirtual().start(() -> up(socket, client));
                InputStream down = java.nio.channels.Channels.newInputStream(client.channel());
                down.transferTo(socket.getOutputStream());
                socket.shutdownOutput();
                up.join();
            }
        });
    }

    private static void up(Socket socket, Client client) {
        try {
            byte[] piece = new byte[8192];
            for (int read = socket.getInputStream().read(piece);
                    read >= 0;
                    read = socket.getInputStream().read(piece)) {
                client.send(java.util.Arrays.copyOf(piece, read));
            }
            client.end();
        } catch (IOException gone) {
            // The other direction tells.
        }
    }

    private static String post(LocalServer bridge, String url, int size) throws IOException {
        Proxy through = new Proxy(Proxy.Type.HTTP, bridge.address());
        HttpsURLConnection connection =
                (HttpsURLConnection) URI.create(url).toURL().openConnection(through);
        connection.setSSLSocketFactory(tls.getSocketFactory());
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(size);
        connection.getOutputStream().write(new byte[size]);
        return new String(connection.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void itReachesAnAllowedHostAndNoOther() throws Exception {
        try (LocalServer server = LocalServer.serving(TlsClientIT::serve);
                ServedProxy proxy =
                        ServedProxy.allowing(
                                        NAME + ":" + server.port(), "127.0.0.1:" + server.port())
                                .name(NAME, "127.0.0.1");
                LocalServer bridge = bridge(proxy)) {
            String place = ":" + server.port() + "/";
            assertThat(post(bridge, "https://" + NAME + place, 100_000)).isEqualTo("got 100000");
            assertThatThrownBy(() -> post(bridge, "https://other.example" + place, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("403 egress to other.example:" + server.port());
            assertThat(proxy.events(EgressEvent.Denied.class)).hasSize(1);
        }
    }
}
