package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {

    private static final int LIMIT = 8 * 1024;

    private static RequestHead read(String text) throws IOException, BadMessage {
        return RequestHead.read(Bytes.of(text), LIMIT);
    }

    private static BadMessage bad(String text) {
        BadMessage bad = catchThrowableOfType(BadMessage.class, () -> read(text));
        assertThat(bad).as("a refusal of " + text).isNotNull();
        assertThat(bad.why()).matches("[ -~]{1,300}");
        return bad;
    }

    private static RequestHead get(String target, String host) throws IOException, BadMessage {
        return read("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "http://a.example, a.example, a.example:80, /",
        "http://a.example/, a.example, a.example:80, /",
        "http://A.Example./x?y=z&%41, a.EXAMPLE:80, a.example:80, /x?y=z&%41",
        "http://a.example:8080/x, a.example:8080, a.example:8080, /x",
        "http://a.example?q, a.example, a.example:80, /?q",
        "HTTP://a.example/@b.example, a.example, a.example:80, /@b.example",
        "http://[2001:db8::1]:81/x, [2001:DB8:0::1]:81, [2001:db8::1]:81, /x",
        "http://[::ffff:192.0.2.1]/, 192.0.2.1, 192.0.2.1:80, /"
    })
    void absoluteFormIsHostPortAndPath(String target, String host, String authority, String path)
            throws Exception {
        RequestHead head = get(target, host);

        assertThat(head.authority()).hasToString(authority);
        assertThat(head.path()).isEqualTo(path);
    }

    @Test
    @Tag("NW-17")
    void connectIsHostAndPortWhateverHostSays() throws Exception {
        RequestHead head = read("CONNECT a.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n");

        assertThat(head.authority()).hasToString("a.example:443");
        assertThat(read("CONNECT [::1]:22 HTTP/1.0\r\n\r\n").authority()).hasToString("[::1]:22");
    }

    /** NW-13, NW-14, NW-15 and NW-16, and what else names no host and port. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.example",
                "a.example:",
                "a.example:0",
                "a.example:65536",
                "a.example:0443",
                "a.example:+443",
                "a.example:443x",
                "a.example:-1",
                "a.example:443:443",
                "http://a.example:443",
                "a.example:443/",
                "a.example:443?x",
                "me@a.example:443",
                "me:pw@a.example:443",
                "a.example:80@evil.example:80",
                "a.example%00:443",
                "a%2eexample:443",
                "a\\.example:443",
                "a_b.example:443",
                "a..b:443",
                ".a:443",
                "[::1]",
                "[::1%25lo]:443",
                "::1:443",
                "2130706433:443",
                "127.1:443",
                "0:443",
                "0x7f.1:443",
                "0177.0.0.1:443",
                "*:443",
                ":443",
                "[]:443"
            })
    @Tag("NW-14")
    @Tag("NW-16")
    void connectToAnythingOddIsRefused(String target) {
        assertThat(bad("CONNECT " + target + " HTTP/1.1\r\n\r\n").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "*",
                "a.example",
                "//a.example/",
                "https://a.example/",
                "ftp://a.example/",
                "http:/a.example/",
                "http:///",
                "http://",
                "http://@a.example/",
                "http://allowed.example@evil.example/",
                "http://allowed.example:80@evil.example:80/",
                "http://evil.example\\@allowed.example/",
                "http://allowed.example\\.evil.example/",
                "http://allowed.example\\evil",
                "http://a.example/#x",
                "http://a.example#@b.example/",
                "http://a.example:/",
                "http://a.example:0/",
                "http://a.example:080/",
                "http://a_b.example/",
                "http://127.1/",
                "http://2130706433/",
                "http://[::1/",
                "http://a.example%2f/",
                "http://a.example%00/"
            })
    @Tag("NW-14")
    @Tag("NW-18")
    void anAddressThatTwoReadersCouldReadDifferentlyIsRefused(String target) {
        String host = "allowed.example";
        assertThat(bad("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status())
                .isEqualTo(400);
    }

    /** NW-18 and NW-21. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: b.example",
                "Host: a.example:81",
                "Host: a.example\r\nHost: a.example",
                "Host: a.example\r\nHost: b.example",
                "X: y",
                "Host:",
                "Host: a.example, b.example",
                "Host: http://a.example",
                "Host : a.example",
                "Host\t: a.example",
                " Host: a.example",
                "Host: a.example\r\n folded: yes",
                "Host: a.example\r\n\tfolded",
                "Host: a.example\nX: y",
                "Host: a.example\rX: y",
                "Host: a.example\r\nX: a\u0000b",
                "Host: a.example\r\nX: a\u000bb",
                "Host: a.example\r\nX: a\u007fb",
                "Host: a.example\r\nno colon",
                "Host: a.example\r\n: no name",
                "Host: a.example\r\nX(Y): z",
                "Host: a.example\r\nContent-Length: 1\r\nContent-Length: 1",
                "Host: a.example\r\nContent-Length: 1, 1",
                "Host: a.example\r\nContent-Length: -1",
                "Host: a.example\r\nContent-Length: +1",
                "Host: a.example\r\nContent-Length: 0x1",
                "Host: a.example\r\nContent-Length: 1 1",
                "Host: a.example\r\nContent-Length:",
                "Host: a.example\r\nContent-Length: 9999999999999999999",
                "Host: a.example\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
                "Host: a.example\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
                "Host: a.example\r\nTransfer-Encoding : chunked",
                "Host: a.example\r\nTransfer-Encoding: chunked, identity",
                "Host: a.example\r\nTransfer-Encoding: identity, chunked",
                "Host: a.example\r\nTransfer-Encoding: gzip, chunked",
                "Host: a.example\r\nTransfer-Encoding: xchunked",
                "Host: a.example\r\nTransfer-Encoding: \"chunked\"",
                "Host: a.example\r\nTransfer-Encoding: chunked;x=y",
                "Host: a.example\r\nTransfer-Encoding: identity",
                "Host: a.example\r\nTransfer-Encoding:",
                "Host: a.example\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Host: a.example\r\nTransfer-Encoding: \u000bchunked"
            })
    @Tag("NW-18")
    @Tag("NW-21")
    void ambiguousFieldsAreRefused(String fields) {
        assertThat(bad("POST http://a.example/ HTTP/1.1\r\n" + fields + "\r\n\r\n").status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://a.example/ HTTP/1.1\n\n",
                "GET http://a.example/ HTTP/2.0\r\n\r\n",
                "GET http://a.example/ HTTP/1.10\r\n\r\n",
                "GET http://a.example/ http/1.1\r\n\r\n",
                "GET http://a.example/\r\n\r\n",
                "GET  http://a.example/ HTTP/1.1\r\n\r\n",
                "GET http://a.example/  HTTP/1.1\r\n\r\n",
                "GET http://a.example/ HTTP/1.1 \r\n\r\n",
                "GET http://a.example/ x HTTP/1.1\r\n\r\n",
                "GET\thttp://a.example/ HTTP/1.1\r\n\r\n",
                "G(T http://a.example/ HTTP/1.1\r\n\r\n",
                " GET http://a.example/ HTTP/1.1\r\n\r\n",
                "\r\nGET http://a.example/ HTTP/1.1\r\n\r\n",
                "POST http://a.example/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                "CONNECT a.example:443 HTTP/1.1\r\nContent-Length: 5\r\n\r\n",
                "CONNECT a.example:443 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            })
    @Tag("NW-21")
    void aFirstLineThatIsNoneIsRefused(String text) {
        assertThat(bad(text).status()).isEqualTo(400);
    }

    /** NW-29: what has no end is refused early. */
    @Test
    void aHeadWithoutEndIsRefusedEarly() {
        String start = "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n";
        assertThat(bad("GET http://a.example/" + "x".repeat(LIMIT)).status()).isEqualTo(431);
        assertThat(bad(start + "X: " + "y".repeat(2 << 20)).status()).isEqualTo(431);
        assertThat(bad(start + "X: y\r\n".repeat(201)).status()).isEqualTo(431);
        Bytes source = Bytes.of(start + "X: " + "y".repeat(2 << 20));
        var _ = catchThrowableOfType(BadMessage.class, () -> RequestHead.read(source, LIMIT));
        assertThat(source.taken()).isLessThanOrEqualTo(LIMIT + 1);
    }

    /** NW-27. */
    @Test
    void theSecondVersionIsRefused() {
        assertThat(bad("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status()).isEqualTo(505);
    }

    @Test
    void onlyWhatIsForTheOtherEndIsPassedOn() throws Exception {
        RequestHead head =
                read(
                        String.join(
                                "\r\n",
                                "GET http://a.example/ HTTP/1.1",
                                "Host: a.example",
                                "A: 1",
                                "Connection: close, X-Mine",
                                "X-Mine: 2",
                                "Proxy-Connection: x",
                                "Proxy-Authorization: Basic eA==",
                                "Upgrade: h2c",
                                "HTTP2-Settings: x",
                                "TE: trailers",
                                "B: 3",
                                "",
                                ""));

        assertThat(head.fields().endToEnd().stream().map(Fields.Field::name))
                .containsExactly("Host", "A", "B");
        assertThat(head.keepsAlive()).isFalse();
        assertThat(head.upgradesToWebSocket()).isFalse();
    }
}
