package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is allowed gets through, and comes back as it was. */
@Timeout(20)
class EgressProxyIT {

    @Test
    void aRequestInAbsoluteFormIsAnswered() throws Exception {
        try (LocalServer server = LocalServer.http("hello");
                ServedProxy proxy = ServedProxy.allowing("127.0.0.1:" + server.port());
                Client client = proxy.client()) {
            String host = "127.0.0.1:" + server.port();
            client.request("GET http://" + host + "/a?b=c HTTP/1.1", "Host: " + host, "X-A: b");

            assertThat(client.head()).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(client.text(5)).isEqualTo("hello");
            assertThat(server.heads().getFirst())
                    .startsWith("GET /a?b=c HTTP/1.1\r\nHost: " + host + "\r\nX-A: b\r\n");
            client.end().rest();
            proxy.awaitClosed(1);
            assertThat(proxy.events())
                    .hasExactlyElementsOfTypes(EgressEvent.Allowed.class, EgressEvent.Closed.class);
        }
    }

    @Test
    void aTunnelWithoutTlsIsOpenedByATcpRule() throws Exception {
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy = ServedProxy.allowing("tcp://127.0.0.1:" + server.port());
                Client client = proxy.client()) {
            client.request("CONNECT 127.0.0.1:" + server.port() + " HTTP/1.1", "Host: any");

            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            client.send("to and fro").end();
            assertThat(client.rest()).isEqualTo("to and fro");
        }
    }

    @Test
    void whatNoRuleAllowsIsDenied() throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("allowed.example");
                Client client = proxy.client()) {
            client.request("CONNECT other.example:443 HTTP/1.1", "Host: any");

            String answer = client.rest();
            assertThat(answer)
                    .startsWith(
                            "HTTP/1.1 403 egress to other.example:443 is denied: no rule allows it"
                                    + "\r\nCarrel-Egress: denied\r\n")
                    .endsWith("carrel egress calm-otter allow other.example:443\n");
            assertThat(proxy.asked()).isEmpty();
        }
    }
}
