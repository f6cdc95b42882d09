package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many tunnels at once, and much through one. */
@Timeout(60)
class LoadIT {

    private static final int TUNNELS = 500;

    /** NW-38; other sizes by the property {@code carrel.test.egress.mib}. */
    private static final int MEBIBYTES = Integer.getInteger("carrel.test.egress.mib", 256);

    private static final int PIECE = 1 << 20;

    private static Client opened(ServedProxy proxy, int port) throws IOException {
        Client client = proxy.client();
        client.request("CONNECT 127.0.0.1:" + port + " HTTP/1.1", "Host: x");
        assertThat(client.head()).startsWith("HTTP/1.1 200 ");
        return client;
    }

    @Test
    void fiveHundredTunnelsAtOnceKeepTheirBytesApart() throws Exception {
        try (LocalServer echo = LocalServer.echo();
                ServedProxy proxy = ServedProxy.allowing("tcp://127.0.0.1:" + echo.port())) {
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < TUNNELS; i++) {
                clients.add(opened(proxy, echo.port()));
            }
            assertThat(proxy.proxy().connections()).isEqualTo(TUNNELS);
            Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < TUNNELS; i++) {
                Client client = clients.get(i);
                String own = ("tunnel " + i + " ").repeat(500);
                threads.add(Thread.ofVirtual().start(() -> exchange(client, own, failures)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            proxy.awaitClosed(TUNNELS);
            assertThat(proxy.events(EgressEvent.Closed.class))
                    .hasSize(TUNNELS)
                    .allMatch(event -> event.up() == event.down() && event.reason().equals("done"));
        }
    }

    private static void exchange(Client client, String own, Queue<Throwable> failures) {
        try (client) {
            for (int i = 0; i < 3; i++) {
                client.send(own);
                assertThat(client.text(own.length())).isEqualTo(own);
            }
            client.end();
            assertThat(client.rest()).isEmpty();
        } catch (IOException | AssertionError failure) {
            failures.add(failure);
        }
    }

    @Test
    @Tag("NW-38")
    void muchGoesThroughOneTunnelByteForByte() throws Exception {
        CRC32C arrived = new CRC32C();
        long[] count = new long[1];
        try (LocalServer server =
                        LocalServer.serving(socket -> {
                            count[0] = digest(socket, arrived);
                            socket.getOutputStream().write('.');
                        });
                ServedProxy proxy = ServedProxy.allowing("tcp://127.0.0.1:" + server.port());
                Client client = opened(proxy, server.port())) {
            CRC32C sent = new CRC32C();
            ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
            for (int i = 0; i < MEBIBYTES; i++) {
                fill(piece.clear(), i);
                sent.update(piece.duplicate());
                while (piece.hasRemaining()) {
                    client.channel().write(piece);
                }
            }
            assertThat(client.end().rest()).isEqualTo(".");
            assertThat(count[0]).isEqualTo((long) MEBIBYTES * PIECE);
            assertThat(arrived.getValue()).isEqualTo(sent.getValue());
            proxy.awaitClosed(1);
            assertThat(proxy.events(EgressEvent.Closed.class).getFirst().up())
                    .isEqualTo((long) MEBIBYTES * PIECE);
        }
    }

    /** Bytes that differ from place to place, so that one moved or lost is seen. */
    private static void fill(ByteBuffer piece, int seed) {
        long value = 0x9e3779b97f4a7c15L * (seed + 1);
        for (int i = 0; i < PIECE; i += Long.BYTES) {
            value += 0x9e3779b97f4a7c15L;
            piece.putLong(i, value);
        }
    }

    private static long digest(Socket socket, CRC32C digest) throws IOException {
        byte[] piece = new byte[256 * 1024];
        long count = 0;
        for (int read = socket.getInputStream().read(piece);
                read >= 0;
                read = socket.getInputStream().read(piece)) {
            digest.update(piece, 0, read);
            count += read;
        }
        return count;
    }
}
