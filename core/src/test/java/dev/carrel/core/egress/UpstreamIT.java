package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import dev.carrel.core.policy.Upstream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy above this one gets names, after the rules were judged here. */
@Timeout(20)
class UpstreamIT {

    /** A proxy that answers so, and sends back what comes then. */
    private static LocalServer above(String answer, List<String> heads) throws Exception {
        return LocalServer.serving(socket -> {
            heads.add(LocalServer.head(socket.getInputStream()));
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().transferTo(socket.getOutputStream());
        });
    }

    private static ServedProxy below(LocalServer above, String... allow) throws Exception {
        Upstream upstream = Upstream.parse("http://me:pw@127.0.0.1:" + above.port());
        return ServedProxy.of(
                EgressRules.parse(List.of(allow), List.of()),
                settings ->
                        settings.withUpstream(upstream)
                                .withHosts(
                                        Map.of(
                                                new Host.Name("set.example"),
                                                IpAddress.parse("8.8.8.8"),
                                                new Host.Name("inside.example"),
                                                IpAddress.parse("10.0.0.1"))));
    }

    private static String connect(Client client, String target) throws Exception {
        return client.request("CONNECT " + target + " HTTP/1.1", "Host: x").head();
    }

    @Test
    void itGetsTheNameAndWhatAuthorizes() throws Exception {
        List<String> heads = new CopyOnWriteArrayList<>();
        byte[] hello = Hello.naming("a.example");
        try (LocalServer above = above("HTTP/1.1 200 Fine\r\nX: y\r\n\r\n", heads);
                ServedProxy proxy = below(above, "a.example");
                Client client = proxy.client()) {
            assertThat(connect(client, "A.example.:443")).startsWith("HTTP/1.1 200 ");
            assertThat(client.send(hello).bytes(hello.length)).isEqualTo(hello);
            assertThat(heads)
                    .containsExactly(
                            String.join(
                                    "\r\n",
                                    "CONNECT a.example:443 HTTP/1.1",
                                    "Host: a.example:443",
                                    "Proxy-Authorization: Basic bWU6cHc=",
                                    "",
                                    ""));
            assertThat(proxy.asked()).as("DNS is the proxy's above").isEmpty();
            assertThat(proxy.events(EgressEvent.Allowed.class).toString())
                    .contains("127.0.0.1:" + above.port())
                    .doesNotContain("pw", "bWU6cHc=");
        }
    }

    @Test
    void deniedHostsAndOtherNamesNeverReachIt() throws Exception {
        List<String> heads = new CopyOnWriteArrayList<>();
        try (LocalServer above = above("HTTP/1.1 200 Fine\r\n\r\n", heads);
                ServedProxy proxy = below(above, "a.example", "inside.example")) {
            for (String denied : List.of("b.example:443", "a.example:22", "inside.example:443")) {
                try (Client client = proxy.client()) {
                    assertThat(connect(client, denied)).startsWith("HTTP/1.1 403 ");
                }
            }
            assertThat(heads).isEmpty();
            try (Client client = proxy.client()) {
                connect(client, "a.example:443");
                client.send(Hello.naming("b.example")).rest();
                assertThat(proxy.events(EgressEvent.Denied.class)).hasSize(4);
            }
        }
    }

    @Test
    void anAddressOfTheSettingsGoesUpInPlaceOfTheName() throws Exception {
        List<String> heads = new CopyOnWriteArrayList<>();
        try (LocalServer above = above("HTTP/1.1 200 Fine\r\n\r\n", heads);
                ServedProxy proxy = below(above, "set.example");
                Client client = proxy.client()) {
            assertThat(connect(client, "set.example:443")).startsWith("HTTP/1.1 200 ");
            assertThat(heads.getFirst()).startsWith("CONNECT 8.8.8.8:443 HTTP/1.1\r\n");
        }
    }

    @Test
    void whatItRefusesIsNoDenialOfOurs() throws Exception {
        try (LocalServer above =
                        above("HTTP/1.1 407 Who are you\r\n\r\n", new CopyOnWriteArrayList<>());
                ServedProxy proxy = below(above, "a.example");
                Client client = proxy.client()) {
            assertThat(connect(client, "a.example:443")).startsWith("HTTP/1.1 502 ");
            assertThat(proxy.events())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            EgressEvent.Failed.class,
                            event ->
                                    assertThat(event.reason())
                                            .isEqualTo("the proxy above answered 407"));
        }
    }

    @Test
    void plainRequestsGoUpInAbsoluteForm() throws Exception {
        try (LocalServer above = LocalServer.http("hello");
                ServedProxy proxy = below(above, "a.example");
                Client client = proxy.client()) {
            client.request(
                    "GET http://a.example/x?y HTTP/1.1",
                    "Host: a.example",
                    "Proxy-Authorization: Basic mine");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(client.text(5)).isEqualTo("hello");
            assertThat(above.heads().getFirst())
                    .startsWith("GET http://a.example:80/x?y HTTP/1.1\r\nHost: a.example\r\n")
                    .contains("Proxy-Authorization: Basic bWU6cHc=\r\n")
                    .doesNotContain("mine");
        }
    }
}
