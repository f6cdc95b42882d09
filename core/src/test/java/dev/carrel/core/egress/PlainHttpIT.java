package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain HTTP: requests that get through as they were meant, and attempts to smuggle others. */
@Timeout(20)
class PlainHttpIT {

    private static String host(LocalServer server) {
        return "127.0.0.1:" + server.port();
    }

    private static Client get(Client client, String host, String path) throws Exception {
        return client.request("GET http://" + host + path + " HTTP/1.1", "Host: " + host);
    }

    /** NW-23: each request of a connection is judged by itself. */
    @Test
    @Tag("NW-23")
    void everyRequestOfAConnectionIsJudged() throws Exception {
        try (LocalServer one = LocalServer.http("one");
                LocalServer two = LocalServer.http("two");
                LocalServer three = LocalServer.http("three");
                ServedProxy proxy = ServedProxy.allowing(host(one), host(two));
                Client client = proxy.client()) {
            for (int round = 0; round < 2; round++) {
                assertThat(get(client, host(one), "/").head()).startsWith("HTTP/1.1 200 ");
                assertThat(client.text(3)).isEqualTo("one");
                assertThat(get(client, host(two), "/").head()).startsWith("HTTP/1.1 200 ");
                assertThat(client.text(3)).isEqualTo("two");
            }
            assertThat(get(client, host(three), "/").rest()).startsWith("HTTP/1.1 403 ");
            assertThat(three.connections()).isZero();
            assertThat(one.connections()).as("no connection is used for two").isEqualTo(2);
            assertThat(proxy.events(EgressEvent.Allowed.class)).hasSize(4);
            assertThat(proxy.events(EgressEvent.Denied.class)).hasSize(1);
        }
    }

    /** NW-22: what stands behind a denied request is not read as one. */
    @Test
    @Tag("NW-22")
    void whatStandsBehindADeniedRequestIsNeverServed() throws Exception {
        try (LocalServer good = LocalServer.http("good");
                ServedProxy proxy = ServedProxy.allowing(host(good));
                Client client = proxy.client()) {
            String allowed =
                    "GET http://" + host(good) + "/ HTTP/1.1\r\nHost: " + host(good) + "\r\n\r\n";
            String denied = "GET http://b.example/ HTTP/1.1\r\nHost: b.example\r\n\r\n";
            client.send(allowed + denied + allowed + allowed);

            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(client.text(4)).isEqualTo("good");
            String rest = client.rest();
            assertThat(rest).startsWith("HTTP/1.1 403 ").doesNotContain("good", "HTTP/1.1 200");
            assertThat(good.connections()).isEqualTo(1);
        }
    }

    /** NW-18 and NW-21: whatever two readers could understand differently. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example",
                "Host: HOST\r\nHost: evil.example",
                "Host: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
                "Host: HOST\r\nContent-Length: 5\r\nContent-Length: 6",
                "Host: HOST\r\nTransfer-Encoding : chunked",
                "Host: HOST\r\nTransfer-Encoding: chunked, identity",
                "Host: HOST\r\nX: a\r\n b",
                "Host: HOST\nX: a"
            })
    @Tag("NW-21")
    void anAmbiguousRequestIsRefusedAndTheConnectionClosed(String fields) throws Exception {
        try (LocalServer good = LocalServer.http("good");
                ServedProxy proxy = ServedProxy.allowing(host(good));
                Client client = proxy.client()) {
            client.request(
                    "POST http://" + host(good) + "/ HTTP/1.1",
                    fields.replace("HOST", host(good)),
                    "X: y");
            get(client.send("0\r\n\r\n"), host(good), "/smuggled");

            assertThat(client.rest()).startsWith("HTTP/1.1 400 ").doesNotContain("good");
            assertThat(good.connections()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\r\nhelloX\r\n0\r\n\r\n",
                "5 \r\nhello\r\n0\r\n\r\n",
                "0x5\r\nhello\r\n0\r\n\r\n",
                "-5\r\nhello\r\n0\r\n\r\n",
                "\r\nhello\r\n0\r\n\r\n",
                "5\nhello\n0\n\n",
                "ffffffffffffffff\r\nhello",
                "0\r\nHost: evil.example\r\n\r\n",
                "0\r\nContent-Length: 5\r\n\r\n",
                "0\r\nTransfer-Encoding: chunked\r\n\r\n"
            })
    @Tag("NW-21")
    void aBodyInChunksThatAreNoneIsRefused(String body) throws Exception {
        try (LocalServer good =
                        LocalServer.serving(socket -> socket.getInputStream().readAllBytes());
                ServedProxy proxy = ServedProxy.allowing(host(good));
                Client client = proxy.client()) {
            client.request(
                    "POST http://" + host(good) + "/ HTTP/1.1",
                    "Host: " + host(good),
                    "Transfer-Encoding: chunked");
            client.send(body);
            client.send("GET http://" + host(good) + "/ HTTP/1.1\r\nHost: x\r\n\r\n");

            assertThat(client.rest()).startsWith("HTTP/1.1 400 ");
            assertThat(good.connections()).isLessThanOrEqualTo(1);
        }
    }

    /** NW-29. */
    @Test
    @Tag("NW-29")
    void aSizeLineWithoutEndIsRefusedEarly() throws Exception {
        try (LocalServer good =
                        LocalServer.serving(socket -> socket.getInputStream().readAllBytes());
                ServedProxy proxy = ServedProxy.allowing(host(good));
                Client client = proxy.client()) {
            client.request(
                    "POST http://" + host(good) + "/ HTTP/1.1",
                    "Host: " + host(good),
                    "Transfer-Encoding: chunked");
            client.send("5;" + "x".repeat(10_000));

            assertThat(client.rest()).startsWith("HTTP/1.1 431 ");
        }
    }

    @Test
    void bodiesComeThroughAsTheyWereSentAndAreFramedAnew() throws Exception {
        byte[] body = new byte[300_000];
        new Random(7).nextBytes(body);
        try (LocalServer server = LocalServer.serving(PlainHttpIT::echoBody);
                ServedProxy proxy = ServedProxy.allowing(host(server))) {
            for (boolean chunked : new boolean[] {true, false}) {
                try (Client client = proxy.client()) {
                    client.request(
                            "POST http://" + host(server) + "/ HTTP/1.1",
                            "Host: " + host(server),
                            chunked
                                    ? "Transfer-Encoding: chunked"
                                    : "Content-Length: " + body.length);
                    if (chunked) {
                        client.send("493e0;ext=1\r\n").send(body);
                        client.send("\r\n0\r\nX-Trailer: y\r\n\r\n");
                    } else {
                        client.send(body);
                    }
                    assertThat(client.head())
                            .startsWith("HTTP/1.1 200 ")
                            .contains("Transfer-Encoding: chunked");
                    assertThat(unchunked(client)).isEqualTo(body);
                    assertThat(get(client, host(server), "/again").head())
                            .as("the connection goes on")
                            .startsWith("HTTP/1.1 200 ");
                }
            }
        }
    }

    /** Sends a body back in chunks, as often as it comes in chunks of whatever size. */
    private static void echoBody(Socket socket) throws java.io.IOException {
        InputStream in = socket.getInputStream();
        String head = LocalServer.head(in);
        byte[] body =
                head.contains("Transfer-Encoding: chunked")
                        ? unchunked(in)
                        : in.readNBytes(head.contains("Content-Length") ? 300_000 : 0);
        var out = socket.getOutputStream();
        out.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        for (int at = 0; at < body.length; at += 70_000) {
            int count = Math.min(70_000, body.length - at);
            out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(body, at, count);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.write("0\r\nX: y\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] unchunked(Client client) throws java.io.IOException {
        return unchunked(java.nio.channels.Channels.newInputStream(client.channel()));
    }

    private static byte[] unchunked(InputStream in) throws java.io.IOException {
        var body = new java.io.ByteArrayOutputStream();
        while (true) {
            StringBuilder size = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                size.append((char) next);
            }
            int count = Integer.parseInt(size.toString().trim(), 16);
            body.write(in.readNBytes(count));
            if (count == 0) {
                skipTrailer(in);
                return body.toByteArray();
            }
            in.readNBytes(2);
        }
    }

    private static void skipTrailer(InputStream in) throws java.io.IOException {
        int length = 1;
        while (length > 0) {
            length = 0;
            for (int next = in.read(); next != '\n'; next = in.read()) {
                length += next == '\r' ? 0 : 1;
            }
        }
    }

    @Test
    void anAnswerThatEndsWithItsConnectionIsFramedForAClientThatStays() throws Exception {
        try (LocalServer server =
                        LocalServer.answering("HTTP/1.0 200 Fine\r\nA: b\r\n\r\nall of it");
                ServedProxy proxy = ServedProxy.allowing(host(server));
                Client client = proxy.client()) {
            assertThat(get(client, host(server), "/").head())
                    .isEqualTo("HTTP/1.1 200 Fine\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(unchunked(client)).asString().isEqualTo("all of it");
            client.request("GET http://" + host(server) + "/ HTTP/1.0");
            assertThat(client.rest())
                    .isEqualTo("HTTP/1.1 200 Fine\r\nA: b\r\nConnection: close\r\n\r\nall of it");
        }
    }

    @Test
    void answersWithoutABodyHaveNone() throws Exception {
        try (LocalServer server =
                        LocalServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n");
                LocalServer none = LocalServer.answering("HTTP/1.1 304 Not Modified\r\n\r\n");
                ServedProxy proxy = ServedProxy.allowing(host(server), host(none));
                Client client = proxy.client()) {
            client.request("HEAD http://" + host(server) + "/ HTTP/1.1", "Host: " + host(server));
            assertThat(client.head()).contains("Content-Length: 999");
            assertThat(get(client, host(none), "/").head()).startsWith("HTTP/1.1 304 ");
            assertThat(get(client, host(none), "/").head()).startsWith("HTTP/1.1 304 ");
        }
    }

    @Test
    void aClientThatWaitsToGoOnIsToldTo() throws Exception {
        try (LocalServer server =
                        LocalServer.serving(socket -> {
                            LocalServer.head(socket.getInputStream());
                            var out = socket.getOutputStream();
                            out.write(
                                    "HTTP/1.1 100 Continue\r\n\r\n"
                                            .getBytes(StandardCharsets.US_ASCII));
                            byte[] body = socket.getInputStream().readNBytes(4);
                            out.write(
                                    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
                                            .getBytes(StandardCharsets.US_ASCII));
                            out.write(body);
                        });
                ServedProxy proxy = ServedProxy.allowing(host(server));
                Client client = proxy.client()) {
            client.request(
                    "PUT http://" + host(server) + "/ HTTP/1.1",
                    "Host: " + host(server),
                    "Expect: 100-continue",
                    "Content-Length: 4");
            assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            client.send("body");
            assertThat(client.head()).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(client.text(4)).isEqualTo("body");
        }
    }

    @Test
    void anEarlyAnswerReachesAClientThatIsStillSending() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (LocalServer server =
                        LocalServer.serving(socket -> {
                            LocalServer.head(socket.getInputStream());
                            socket.getOutputStream()
                                    .write(
                                            "HTTP/1.1 413 Too Much\r\nContent-Length: 0\r\n\r\n"
                                                    .getBytes(StandardCharsets.US_ASCII));
                            over.await();
                        });
                ServedProxy proxy = ServedProxy.allowing(host(server));
                Client client = proxy.client()) {
            client.request(
                    "PUT http://" + host(server) + "/ HTTP/1.1",
                    "Host: " + host(server),
                    "Content-Length: 100000000");
            client.send(new byte[1000]);
            assertThat(client.head()).startsWith("HTTP/1.1 413 ");
            over.countDown();
            assertThat(client.rest()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello",
                "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
                "HTTP/1.1 999 What\r\n\r\n",
                "SSH-2.0-OpenSSH\r\n",
                "HTTP/1.1 200 OK\r\nX: y",
                ""
            })
    void anAnswerThatIsAmbiguousIsNotPassedOn(String answer) throws Exception {
        try (LocalServer server = LocalServer.answering(answer);
                ServedProxy proxy = ServedProxy.allowing(host(server));
                Client client = proxy.client()) {
            assertThat(get(client, host(server), "/").rest())
                    .startsWith("HTTP/1.1 502 ")
                    .doesNotContain("hello");
        }
    }

    @Test
    void anAnswerThatIsCutOffLooksCutOff() throws Exception {
        try (LocalServer server =
                        LocalServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal");
                LocalServer chunks =
                        LocalServer.answering(
                                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal");
                ServedProxy proxy = ServedProxy.allowing(host(server), host(chunks));
                Client one = proxy.client();
                Client two = proxy.client()) {
            assertThat(get(one, host(server), "/").rest()).endsWith("\r\n\r\nhal");
            assertThat(get(two, host(chunks), "/").rest()).doesNotContain("0\r\n\r\n");
        }
    }

    /** NW-27: a WebSocket on an allowed host; nothing else is switched to. */
    @Test
    @Tag("NW-27")
    void aWebSocketIsOpenedOnAnAllowedHost() throws Exception {
        try (LocalServer server =
                        LocalServer.serving(socket -> {
                            String head = LocalServer.head(socket.getInputStream());
                            assertThat(head).contains("Upgrade: websocket\r\n");
                            socket.getOutputStream()
                                    .write(
                                            String.join(
                                                            "\r\n",
                                                            "HTTP/1.1 101 Switching Protocols",
                                                            "Connection: Upgrade",
                                                            "Upgrade: websocket",
                                                            "Sec-WebSocket-Accept: x",
                                                            "",
                                                            "hi")
                                                    .getBytes(StandardCharsets.US_ASCII));
                            socket.getInputStream().transferTo(socket.getOutputStream());
                        });
                ServedProxy proxy = ServedProxy.allowing(host(server));
                Client client = proxy.client()) {
            client.request(
                    "GET http://" + host(server) + "/ HTTP/1.1",
                    "Host: " + host(server),
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Key: x");
            assertThat(client.head())
                    .startsWith("HTTP/1.1 101 ")
                    .contains("Upgrade: websocket", "Sec-WebSocket-Accept: x");
            assertThat(client.text(2)).isEqualTo("hi");
            client.send("frames").end();
            assertThat(client.rest()).isEqualTo("frames");
        }
    }

    @Test
    @Tag("NW-27")
    void theSecondVersionOfHttpIsNotSwitchedTo() throws Exception {
        try (LocalServer server = LocalServer.http("first");
                ServedProxy proxy = ServedProxy.allowing(host(server));
                Client client = proxy.client();
                Client direct = proxy.client()) {
            client.request(
                    "GET http://" + host(server) + "/ HTTP/1.1",
                    "Host: " + host(server),
                    "Connection: Upgrade, HTTP2-Settings",
                    "Upgrade: h2c",
                    "HTTP2-Settings: AAMAAABk");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(server.heads().getFirst()).doesNotContainIgnoringCase("upgrade", "http2");
            assertThat(direct.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").rest())
                    .startsWith("HTTP/1.1 505 ");
        }
    }

    /** NW-26. */
    @Test
    @Tag("NW-26")
    void aRedirectIsTheClientsToFollow() throws Exception {
        try (LocalServer server =
                        LocalServer.answering(
                                String.join(
                                        "\r\n",
                                        "HTTP/1.1 302 Found",
                                        "Location: http://b.example/",
                                        "Content-Length: 0",
                                        "",
                                        ""));
                ServedProxy proxy = ServedProxy.allowing(host(server));
                Client client = proxy.client()) {
            assertThat(get(client, host(server), "/").head())
                    .startsWith("HTTP/1.1 302 ")
                    .contains("Location: http://b.example/");
            assertThat(get(client, "b.example", "/").head()).startsWith("HTTP/1.1 403 ");
            assertThat(proxy.asked()).isEmpty();
        }
    }

    @Test
    void nothingOfARequestIsRecordedButItsHost() throws Exception {
        try (LocalServer server = LocalServer.http("secret5");
                ServedProxy proxy = ServedProxy.allowing(host(server));
                Client client = proxy.client()) {
            client.request(
                    "POST http://" + host(server) + "/secret1?secret2 HTTP/1.1",
                    "Host: " + host(server),
                    "Authorization: secret3",
                    "Content-Length: 7");
            client.send("secret4").head();
            client.request(
                    "GET http://b.example/secret6 HTTP/1.1", "Host: b.example", "X: secret7");
            client.rest();
            proxy.awaitClosed(1);

            assertThat(proxy.events()).hasSize(3);
            assertThat(List.copyOf(proxy.events()).toString()).doesNotContain("secret");
        }
    }
}
