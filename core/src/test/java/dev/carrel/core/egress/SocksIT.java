package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SOCKS5, as clients speak it and as nobody should. */
@Timeout(20)
class SocksIT {

    private static byte[] byName(String name, int port) {
        byte[] text = name.getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(new byte[] {5, 1, 0, 3, (byte) text.length});
        request.writeBytes(text);
        request.writeBytes(new byte[] {(byte) (port >> 8), (byte) port});
        return request.toByteArray();
    }

    private static Client greeted(ServedProxy proxy) throws Exception {
        Client client = proxy.client();
        client.send(new byte[] {5, 1, 0});
        assertThat(client.bytes(2)).containsExactly(5, 0);
        return client;
    }

    private static int code(ServedProxy proxy, byte[] request) throws Exception {
        try (Client client = greeted(proxy)) {
            return client.send(request).bytes(10)[1];
        }
    }

    @Test
    void namesAndAddressesAreReached() throws Exception {
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy =
                        ServedProxy.allowing(
                                "tcp://named.example:" + server.port(),
                                "tcp://127.0.0.1:" + server.port())) {
            proxy.name("named.example", "127.0.0.1");
            byte high = (byte) (server.port() >> 8);
            byte low = (byte) server.port();
            byte[] mapped = new byte[22];
            System.arraycopy(new byte[] {5, 1, 0, 4}, 0, mapped, 0, 4);
            System.arraycopy(new byte[] {-1, -1, 127, 0, 0, 1, high, low}, 0, mapped, 14, 8);
            for (byte[] request :
                    new byte[][] {
                        byName("Named.Example.", server.port()),
                        byName("127.0.0.1", server.port()),
                        byName("::ffff:127.0.0.1", server.port()),
                        {5, 1, 0, 1, 127, 0, 0, 1, high, low},
                        mapped
                    }) {
                try (Client client = greeted(proxy)) {
                    assertThat(client.send(request).bytes(10))
                            .containsExactly(5, 0, 0, 1, 0, 0, 0, 0, 0, 0);
                    assertThat(client.send("hello").end().rest()).isEqualTo("hello");
                }
            }
            assertThat(proxy.events(EgressEvent.Allowed.class))
                    .hasSize(5)
                    .allMatch(event -> event.protocol() == EgressEvent.Protocol.SOCKS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "other.example, 443, 2",
        "allowed.example, 22, 2",
        "127.0.0.1, 443, 2",
        "2130706433, 443, 2",
        "unknown.example, 443, 4",
        "inside.example, 443, 2",
        "'', 443, 2",
        "allowed.example, 0, 2",
        "a_b.example, 443, 2"
    })
    void whatIsNotAllowedHasTheCodeForThat(String name, int port, int code) throws Exception {
        try (ServedProxy proxy =
                ServedProxy.allowing("allowed.example", "unknown.example", "inside.example")) {
            proxy.name("inside.example", "127.0.0.1");

            assertThat(code(proxy, byName(name, port))).isEqualTo(code);
        }
    }

    /** NW-13: the end of a name in C is no end here. */
    @Test
    @Tag("NW-13")
    void aNameWithANulIsRefused() throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("*.allowed.example", "evil.example:1")) {
            assertThat(code(proxy, byName("evil.example\u0000.allowed.example", 443))).isEqualTo(2);
            assertThat(code(proxy, byName("a.allowed.example\u0000", 443))).isEqualTo(2);
            assertThat(proxy.asked()).isEmpty();
            assertThat(code(proxy, byName("a.allowed.example", 443))).isEqualTo(4);
        }
    }

    @Test
    void otherCommandsKindsAndVersionsAreRefused() throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("allowed.example")) {
            byte[] bind = byName("allowed.example", 443);
            bind[1] = 2;
            byte[] udp = byName("allowed.example", 443);
            udp[1] = 3;
            assertThat(code(proxy, bind)).isEqualTo(7);
            assertThat(code(proxy, udp)).isEqualTo(7);
            assertThat(code(proxy, new byte[] {5, 1, 0, 9})).isEqualTo(8);
            assertThat(code(proxy, new byte[] {4, 1, 0, 1})).isEqualTo(1);
            try (Client client = proxy.client()) {
                assertThat(client.send(new byte[] {5, 1, 2}).bytes(2)).containsExactly(5, -1);
            }
            try (Client client = proxy.client()) {
                assertThat(client.send(new byte[] {4, 1, 0, 80, 127, 0, 0, 1, 0}).rest()).isEmpty();
            }
        }
    }

    @Test
    void theTlsInATunnelIsForItsHost() throws Exception {
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy =
                        ServedProxy.allowing(
                                "named.example:" + server.port(), "127.0.0.1:" + server.port())) {
            proxy.name("named.example", "127.0.0.1");
            byte[] right = Hello.naming("named.example");
            try (Client client = greeted(proxy)) {
                client.send(byName("named.example", server.port())).bytes(10);
                assertThat(client.send(right).bytes(right.length)).isEqualTo(right);
            }
            try (Client client = greeted(proxy)) {
                client.send(byName("named.example", server.port())).bytes(10);
                client.send(Hello.naming("evil.example")).rest();
            }
            assertThat(proxy.events(EgressEvent.Denied.class)).hasSize(1);
        }
    }
}
