package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients and hosts that take their time, or too much. */
@Timeout(30)
class LimitsIT {

    private static final Duration SHORT = Duration.ofMillis(200);

    private static EgressLimits limits(int connections, Duration head, Duration idle) {
        return new EgressLimits(connections, 4096, head, SHORT, Duration.ofSeconds(2), idle);
    }

    private static ServedProxy proxy(EgressLimits limits, String... allow) throws Exception {
        return ServedProxy.of(
                EgressRules.parse(List.of(allow), List.of()),
                settings -> settings.withLimits(limits));
    }

    /** NW-28: a head that never ends. */
    @Test
    @Tag("NW-28")
    void aSlowHeadIsGivenUpAndHurtsNobodyElse() throws Exception {
        try (LocalServer server = LocalServer.http("hello");
                ServedProxy proxy =
                        proxy(
                                limits(64, Duration.ofMillis(400), Duration.ofSeconds(20)),
                                "127.0.0.1:" + server.port())) {
            List<Client> slow = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                slow.add(proxy.client().send("GET http://a.example/ HTTP/1.1\r\nX: "));
            }
            try (Client client = proxy.client()) {
                String host = "127.0.0.1:" + server.port();
                client.request("GET http://" + host + "/ HTTP/1.1", "Host: " + host);
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            }
            for (Client client : slow) {
                assertThat(client.rest()).startsWith("HTTP/1.1 408 ");
                client.close();
            }
        }
    }

    @Test
    void aClientThatSaysNothingIsLetGo() throws Exception {
        try (ServedProxy proxy = proxy(limits(64, SHORT, Duration.ofSeconds(20)));
                Client client = proxy.client();
                Client socks = proxy.client()) {
            socks.send(new byte[] {5, 1});
            assertThat(client.rest()).isEmpty();
            assertThat(socks.rest()).isEmpty();
            assertThat(proxy.proxy().failure()).isEmpty();
        }
    }

    @Test
    void aConnectionIsNotKeptForEver() throws Exception {
        try (LocalServer server = LocalServer.http("hello");
                ServedProxy proxy =
                        proxy(
                                limits(64, Duration.ofSeconds(5), Duration.ofSeconds(20)),
                                "127.0.0.1:" + server.port());
                Client client = proxy.client()) {
            String host = "127.0.0.1:" + server.port();
            client.request("GET http://" + host + "/ HTTP/1.1", "Host: " + host);
            client.head();
            assertThat(client.rest()).isEqualTo("hello");
        }
    }

    @Test
    void aTunnelInWhichNobodyBeginsTlsIsClosed() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (LocalServer server =
                        LocalServer.serving(socket -> {
                            socket.getOutputStream().write('x');
                            over.await();
                        });
                ServedProxy proxy =
                        proxy(
                                limits(64, SHORT, Duration.ofSeconds(20)),
                                "127.0.0.1:" + server.port());
                Client client = proxy.client()) {
            client.request("CONNECT 127.0.0.1:" + server.port() + " HTTP/1.1", "Host: x");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(client.rest()).as("the host speaks first, unheard").isEmpty();
            assertThat(proxy.events()).hasExactlyElementsOfTypes(EgressEvent.Denied.class);
            over.countDown();
        }
    }

    @Test
    void aTunnelThatStandsStillIsClosedAndABusyOneIsNot() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (LocalServer stuck = LocalServer.serving(_ -> over.await());
                LocalServer echo = LocalServer.echo();
                ServedProxy proxy =
                        proxy(
                                limits(64, Duration.ofSeconds(5), Duration.ofMillis(500)),
                                "tcp://127.0.0.1:" + stuck.port(),
                                "tcp://127.0.0.1:" + echo.port());
                Client standing = proxy.client();
                Client busy = proxy.client()) {
            standing.request("CONNECT 127.0.0.1:" + stuck.port() + " HTTP/1.1", "Host: x");
            standing.head();
            busy.request("CONNECT 127.0.0.1:" + echo.port() + " HTTP/1.1", "Host: x");
            busy.head();
            for (int i = 0; i < 15; i++) {
                assertThat(busy.send("x").text(1)).isEqualTo("x");
                Thread.sleep(60);
            }
            assertThat(standing.rest()).isEmpty();
            assertThat(busy.send("y").text(1)).isEqualTo("y");
            proxy.awaitClosed(1);
            assertThat(proxy.events(EgressEvent.Closed.class))
                    .extracting(EgressEvent.Closed::reason)
                    .containsExactly("nothing moved for too long");
            over.countDown();
        }
    }

    /**
     * A host that never reads: the client is held back, and neither keeps the proxy from ending.
     */
    @Test
    void aStuckHostHoldsNobodyElseAndNotTheEnd() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (LocalServer stuck = LocalServer.serving(_ -> over.await());
                LocalServer echo = LocalServer.echo();
                ServedProxy proxy =
                        ServedProxy.allowing(
                                "tcp://127.0.0.1:" + stuck.port(),
                                "tcp://127.0.0.1:" + echo.port());
                Client client = proxy.client();
                Client other = proxy.client()) {
            client.request("CONNECT 127.0.0.1:" + stuck.port() + " HTTP/1.1", "Host: x");
            client.head();
            Thread writer = Thread.ofVirtual().start(() -> flood(client));
            other.request("CONNECT 127.0.0.1:" + echo.port() + " HTTP/1.1", "Host: x");
            other.head();
            assertThat(other.send("x").text(1)).isEqualTo("x");
            proxy.proxy().close();
            writer.join();
            assertThat(proxy.proxy().connections()).isZero();
            assertThat(proxy.events(EgressEvent.Closed.class))
                    .extracting(EgressEvent.Closed::reason)
                    .containsOnly("the proxy was stopped")
                    .hasSize(2);
            over.countDown();
        }
    }

    private static void flood(Client client) {
        try {
            while (true) {
                client.send(new byte[1 << 20]);
            }
        } catch (java.io.IOException closed) {
            // As it should be.
        }
    }

    /** NW-30. */
    @Test
    @Tag("NW-30")
    void oneSessionHasSoManyConnectionsAndAnotherItsOwn() throws Exception {
        try (LocalServer echo = LocalServer.echo();
                ServedProxy one =
                        proxy(
                                limits(10, Duration.ofSeconds(20), Duration.ofSeconds(20)),
                                "tcp://127.0.0.1:" + echo.port());
                ServedProxy two = ServedProxy.allowing("tcp://127.0.0.1:" + echo.port())) {
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                clients.add(one.client());
            }
            for (int i = 0; i < 50; i++) {
                try (Client further = one.client()) {
                    assertThat(further.rest()).isEmpty();
                }
            }
            assertThat(one.events(EgressEvent.Refused.class))
                    .as("told once, not fifty times")
                    .hasSize(1);
            try (Client client = two.client()) {
                client.request("CONNECT 127.0.0.1:" + echo.port() + " HTTP/1.1", "Host: x");
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            }
            clients.removeFirst().close();
            String answer = "";
            for (int tries = 0; tries < 100 && answer.isEmpty(); tries++) {
                Thread.sleep(10);
                answer = tunnel(one, echo.port());
            }
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            for (Client client : clients) {
                client.close();
            }
        }
    }

    private static String tunnel(ServedProxy proxy, int port) {
        try (Client client = proxy.client()) {
            client.request("CONNECT 127.0.0.1:" + port + " HTTP/1.1", "Host: x");
            return client.head();
        } catch (java.io.IOException closed) {
            return "";
        }
    }

    /** NW-29. */
    @Test
    @Tag("NW-29")
    void aHugeHeadIsRefusedEarly() throws Exception {
        try (ServedProxy proxy = proxy(limits(64, Duration.ofSeconds(5), Duration.ofSeconds(5)));
                Client client = proxy.client()) {
            client.send("GET http://a.example/ HTTP/1.1\r\nX: " + "y".repeat(100_000));
            assertThat(client.rest()).startsWith("HTTP/1.1 431 ");
        }
    }
}
