package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tunnels by CONNECT and SOCKS5: what is said in them first, and how they end. */
@Timeout(20)
class TunnelIT {

    private static final String NAME = "allowed.example";

    /** To an echo by its name; the address is an exception. */
    private static ServedProxy named(LocalServer server) throws Exception {
        return ServedProxy.allowing(NAME + ":" + server.port(), "127.0.0.1:" + server.port())
                .name(NAME, "127.0.0.1");
    }

    private static Client opened(ServedProxy proxy, String host, int port) throws Exception {
        Client client = proxy.client();
        client.request("CONNECT " + host + ":" + port + " HTTP/1.1", "Host: " + host);
        assertThat(client.head()).startsWith("HTTP/1.1 200 ");
        return client;
    }

    @Test
    void tlsForTheHostOfTheTunnelGetsThrough() throws Exception {
        byte[] hello = Hello.naming(NAME);
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy = named(server);
                Client client = opened(proxy, NAME, server.port())) {
            client.send(hello);
            assertThat(client.bytes(hello.length)).isEqualTo(hello);
            client.send("more").end();
            assertThat(client.rest()).isEqualTo("more");
            proxy.awaitClosed(1);
            assertThat(proxy.events(EgressEvent.Closed.class))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.up()).isEqualTo(hello.length + 4L);
                        assertThat(event.down()).isEqualTo(hello.length + 4L);
                        assertThat(event.reason()).isEqualTo("done");
                    });
        }
    }

    @Test
    void tlsInSmallRecordsAndLateBytesGetsThrough() throws Exception {
        byte[] hello = Hello.inRecordsOf(60, Hello.naming(NAME));
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy = named(server);
                Client client = opened(proxy, NAME, server.port())) {
            for (byte single : hello) {
                client.send(new byte[] {single});
            }
            assertThat(client.bytes(hello.length)).isEqualTo(hello);
        }
    }

    /** NW-19. */
    @Test
    @Tag("NW-19")
    void tlsForAnotherHostIsRefusedBeforeTheHostHearsOfIt() throws Exception {
        for (byte[] hello :
                List.of(
                        Hello.naming("evil.example"),
                        Hello.naming(""),
                        Hello.naming("sub." + NAME),
                        Hello.withExtensions(Hello.names(NAME), Hello.names("evil.example")),
                        Hello.withExtensions(Hello.names(NAME + "\u0000.evil.example")))) {
            StringBuilder heard = new StringBuilder();
            try (LocalServer server =
                            LocalServer.serving(socket ->
                                    heard.append(
                                            new String(
                                                    socket.getInputStream().readAllBytes(),
                                                    StandardCharsets.ISO_8859_1)));
                    ServedProxy proxy = named(server);
                    Client client = opened(proxy, NAME, server.port())) {
                client.send(hello).rest();
                assertThat(proxy.events()).hasExactlyElementsOfTypes(EgressEvent.Denied.class);
                assertThat(heard).isEmpty();
            }
        }
    }

    @Test
    void aClientLearnsOfTheOtherNameByAnAlert() throws Exception {
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy = named(server);
                Client client = opened(proxy, NAME, server.port())) {
            assertThat(client.send(Hello.naming("evil.example")).rest())
                    .isEqualTo("\u0015\u0003\u0001\u0000\u0002\u00021");
            assertThat(proxy.events(EgressEvent.Denied.class).getFirst().reason())
                    .isEqualTo("the TLS in the tunnel is for 'evil.example'");
        }
    }

    @Test
    void tlsToAnAddressNamesNoHost() throws Exception {
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy = named(server)) {
            byte[] nameless = Hello.naming("");
            try (Client client = opened(proxy, "127.0.0.1", server.port())) {
                client.send(nameless);
                assertThat(client.bytes(nameless.length)).isEqualTo(nameless);
            }
            try (Client client = opened(proxy, "127.0.0.1", server.port())) {
                client.send(Hello.naming(NAME)).rest();
                assertThat(proxy.events(EgressEvent.Denied.class)).hasSize(1);
            }
        }
    }

    /** NW-20: without TLS only by a rule that says so. */
    @Test
    @Tag("NW-20")
    void aTunnelWithoutTlsNeedsARuleOfItsOwn() throws Exception {
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy = named(server)) {
            try (Client client = opened(proxy, NAME, server.port())) {
                assertThat(client.send("\u0000mysql").rest()).isEmpty();
            }
            assertThat(proxy.events(EgressEvent.Denied.class))
                    .singleElement()
                    .satisfies(event ->
                            assertThat(event.cure())
                                    .contains("tcp://" + NAME + ":" + server.port()));
            try (Client client = opened(proxy, NAME, server.port())) {
                assertThat(client.send("GET / HTTP/1.1\r\n\r\n").rest())
                        .startsWith("HTTP/1.1 403 ")
                        .contains("allow tcp://" + NAME);
            }
            proxy.change(
                    EgressRules.parse(
                            List.of(
                                    "tcp://" + NAME + ":" + server.port(),
                                    "127.0.0.1:" + server.port()),
                            List.of()));
            try (Client client = opened(proxy, NAME, server.port())) {
                assertThat(client.send("SSH-2.0-x\r\n").end().rest()).isEqualTo("SSH-2.0-x\r\n");
            }
        }
    }

    @Test
    void aHostThatSpeaksFirstIsHeardByATcpRuleOnly() throws Exception {
        try (LocalServer server =
                        LocalServer.serving(socket -> {
                            socket.getOutputStream()
                                    .write("220 ready\r\n".getBytes(StandardCharsets.US_ASCII));
                            socket.getInputStream().readAllBytes();
                        });
                ServedProxy proxy = ServedProxy.allowing("tcp://127.0.0.1:" + server.port());
                Client client = opened(proxy, "127.0.0.1", server.port())) {
            assertThat(client.text(11)).isEqualTo("220 ready\r\n");
        }
    }

    @Test
    void aHostThatCannotBeReachedIsNoDenial() throws Exception {
        int port;
        try (ServerSocket gone =
                new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            port = gone.getLocalPort();
        }
        try (ServedProxy proxy = ServedProxy.allowing("tcp://127.0.0.1:" + port);
                Client client = proxy.client()) {
            client.request("CONNECT 127.0.0.1:" + port + " HTTP/1.1", "Host: x");
            assertThat(client.rest())
                    .startsWith(
                            "HTTP/1.1 502 127.0.0.1:" + port + " is allowed but was not reached: ")
                    .contains("\r\nCarrel-Egress: failed\r\n");
            assertThat(proxy.events()).hasExactlyElementsOfTypes(EgressEvent.Failed.class);
        }
    }

    /** Open tunnels follow the rules: what is not allowed any more is closed. */
    @Test
    void openTunnelsToHostsThatAreNotAllowedAnyMoreAreClosed() throws Exception {
        try (LocalServer server = LocalServer.echo();
                LocalServer other = LocalServer.echo()) {
            String first = "tcp://127.0.0.1:" + server.port();
            String second = "tcp://127.0.0.1:" + other.port();
            try (ServedProxy proxy = ServedProxy.allowing(first, second);
                    Client one = opened(proxy, "127.0.0.1", server.port());
                    Client two = opened(proxy, "127.0.0.1", other.port())) {
                assertThat(one.send("a").text(1)).isEqualTo("a");
                assertThat(two.send("b").text(1)).isEqualTo("b");
                proxy.change(
                        new EgressRules(
                                List.of(EgressRule.allow(first), EgressRule.allow(second)),
                                List.of(EgressRule.deny("127.0.0.1:" + other.port()))));
                assertThat(two.rest()).isEmpty();
                assertThat(one.send("c").text(1)).isEqualTo("c");
                proxy.awaitClosed(1);
                assertThat(proxy.events(EgressEvent.Closed.class))
                        .singleElement()
                        .satisfies(event -> {
                            assertThat(event.port()).isEqualTo(other.port());
                            assertThat(event.reason()).contains("not allowed any more");
                        });
                try (Client again = proxy.client()) {
                    again.request("CONNECT 127.0.0.1:" + other.port() + " HTTP/1.1", "Host: x");
                    assertThat(again.head()).startsWith("HTTP/1.1 403 ");
                }
            }
        }
    }

    /** NW-38: one direction is over, the other goes on. */
    @Test
    @Tag("NW-38")
    void aHalfClosedTunnelGoesOnInTheOtherDirection() throws Exception {
        try (LocalServer counting =
                        LocalServer.serving(socket -> {
                            int count = socket.getInputStream().readAllBytes().length;
                            socket.getOutputStream()
                                    .write(
                                            Integer.toString(count)
                                                    .getBytes(StandardCharsets.US_ASCII));
                        });
                LocalServer closing =
                        LocalServer.serving(socket -> {
                            socket.getOutputStream().write('x');
                            socket.shutdownOutput();
                            socket.getInputStream().readAllBytes();
                        });
                ServedProxy proxy =
                        ServedProxy.allowing(
                                "tcp://127.0.0.1:" + counting.port(),
                                "tcp://127.0.0.1:" + closing.port())) {
            try (Client client = opened(proxy, "127.0.0.1", counting.port())) {
                assertThat(client.send(new byte[100_000]).end().rest()).isEqualTo("100000");
            }
            try (Client client = opened(proxy, "127.0.0.1", closing.port())) {
                assertThat(client.rest()).isEqualTo("x");
                client.send(new byte[50_000]).end();
            }
            proxy.awaitClosed(2);
            assertThat(proxy.events(EgressEvent.Closed.class))
                    .extracting(EgressEvent.Closed::up, EgressEvent.Closed::reason)
                    .containsExactlyInAnyOrder(
                            org.assertj.core.groups.Tuple.tuple(100_000L, "done"),
                            org.assertj.core.groups.Tuple.tuple(50_000L, "done"));
        }
    }

    @Test
    @Tag("NW-38")
    void aResetEndsBothSides() throws Exception {
        try (LocalServer server =
                        LocalServer.serving(socket -> {
                            socket.getInputStream().read();
                            socket.setSoLinger(true, 0);
                        });
                ServedProxy proxy = ServedProxy.allowing("tcp://127.0.0.1:" + server.port());
                Client client = opened(proxy, "127.0.0.1", server.port())) {
            client.send("x");
            assertThat(client.rest()).isEmpty();
            proxy.awaitClosed(1);
            assertThat(proxy.events(EgressEvent.Closed.class))
                    .extracting(EgressEvent.Closed::reason)
                    .containsExactly("reset");
        }
    }
}
