package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.Host;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Whatever comes over a connection, reading it ends soon, takes no more than its bound, and comes
 * to a value in its normal form or to a refusal that can be shown.
 */
class ReaderFuzzTest {

    private static final int ROUNDS = 20_000;
    private static final int LIMIT = 4096;
    private static final List<String> PIECES =
            List.of(
                    "\r\n",
                    "\n",
                    "\r",
                    "\r\n\r\n",
                    " ",
                    "\t",
                    "\u0000",
                    ":",
                    "::",
                    "[::1]",
                    "[::ffff:127.0.0.1]",
                    "@",
                    "%00",
                    "%2e",
                    "\\",
                    "/",
                    "?",
                    "#",
                    ".",
                    "_",
                    "-",
                    ",",
                    ";",
                    "0x7f.1",
                    "127.1",
                    ":0",
                    ":65536",
                    "http://",
                    "https://",
                    "CONNECT ",
                    "HTTP/1.0",
                    "HTTP/2.0",
                    "Host: evil.example\r\n",
                    "Content-Length: 5\r\n",
                    "Transfer-Encoding: chunked\r\n",
                    "Transfer-Encoding : chunked\r\n",
                    "Connection: upgrade\r\nUpgrade: websocket\r\n",
                    "\u00ff",
                    "\u0080",
                    "x".repeat(300),
                    "0".repeat(20),
                    "ffffffffffffffff");

    private interface Reader {

        /** Reads; false where it refuses. */
        boolean read(Bytes bytes) throws IOException, BadMessage;
    }

    private static void fuzz(long seed, List<byte[]> valid, int most, Reader reader) {
        Random random = new Random(seed);
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> {
                    int accepted = 0;
                    for (int round = 0; round < ROUNDS; round++) {
                        byte[] start = valid.get(random.nextInt(valid.size()));
                        Bytes bytes = new Bytes(mutated(start, random));
                        accepted += reads(reader, bytes) ? 1 : 0;
                        assertThat(bytes.taken()).isLessThanOrEqualTo(most);
                    }
                    assertThat(accepted)
                            .as("readable ones among " + ROUNDS)
                            .isBetween(ROUNDS / 50, ROUNDS * 95 / 100);
                });
    }

    private static boolean reads(Reader reader, Bytes bytes) throws IOException {
        try {
            return reader.read(bytes);
        } catch (BadMessage bad) {
            assertThat(bad.why()).matches("[ -~]{1,300}");
            assertThat(bad.status()).isBetween(400, 505);
            return false;
        } catch (EOFException cutOff) {
            return false;
        }
    }

    private static byte[] mutated(byte[] valid, Random random) {
        StringBuilder text = new StringBuilder(new String(valid, StandardCharsets.ISO_8859_1));
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(text.length() + 1);
            switch (random.nextInt(5)) {
                case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(8)));
                case 2 -> text.insert(at, (char) random.nextInt(256));
                case 3 -> text.setLength(at);
                default -> {
                    if (at < text.length()) {
                        text.setCharAt(at, (char) random.nextInt(256));
                    }
                }
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] ascii(String... lines) {
        return String.join("\r\n", lines).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void assertNormal(Authority to) {
        assertThat(Host.parse(to.host().toString())).isEqualTo(to.host());
        assertThat(to.port()).isBetween(1, 65535);
        assertThat(to.toString()).matches("[a-z0-9.:\\[\\]-]+");
    }

    @Test
    void headsOfRequests() {
        List<byte[]> valid = new ArrayList<>();
        valid.add(ascii("CONNECT a.example:443 HTTP/1.1", "Host: a.example:443", "", ""));
        valid.add(ascii("GET http://a.example/x?y HTTP/1.1", "Host: a.example", "A: b", "", ""));
        valid.add(
                ascii(
                        "POST http://[2001:db8::1]:81/ HTTP/1.1",
                        "Host: [2001:db8::1]:81",
                        "Content-Length: 17",
                        "",
                        ""));
        fuzz(
                1,
                valid,
                LIMIT + 1,
                bytes -> {
                    RequestHead head = RequestHead.read(bytes, LIMIT);
                    assertNormal(head.authority());
                    assertThat(head.path()).doesNotContain("\r", "\n", " ", "\u0000", "#");
                    assertThat(head.fields().list())
                            .allSatisfy(field -> {
                                assertThat(field.name()).matches("[!-9;-~]+");
                                assertThat(field.value()).doesNotContain("\r", "\n", "\u0000");
                            });
                    return true;
                });
    }

    @Test
    void headsOfAnswers() {
        byte[] valid = ascii("HTTP/1.1 200 OK", "Content-Length: 5", "A: b", "", "");
        fuzz(
                2,
                List.of(valid, ascii("HTTP/1.0 204", "", "")),
                LIMIT + 1,
                bytes -> {
                    AnswerHead head = AnswerHead.read(bytes, LIMIT);
                    assertThat(head.reason()).doesNotContain("\r", "\n", "\u0000");
                    assertThat(head.framing("GET")).isNotNull();
                    return true;
                });
    }

    @Test
    void bodiesInChunks() {
        byte[] valid = ascii("5;x=y", "hello", "a", "0123456789", "0", "A: b", "", "");
        fuzz(
                3,
                List.of(valid),
                64 * 1024,
                bytes -> {
                    ChunkReader reader = new ChunkReader(bytes);
                    for (long size = reader.size(); size > 0; size = reader.size()) {
                        assertThat(size).isPositive();
                        for (long i = 0; i < size; i++) {
                            if (bytes.next() < 0) {
                                throw new EOFException();
                            }
                        }
                        reader.endOfChunk();
                    }
                    reader.trailer();
                    return true;
                });
    }

    @Test
    void requestsOfSocks() {
        byte[] name = ascii("a.example");
        byte[] byName = new byte[5 + name.length + 2];
        System.arraycopy(new byte[] {5, 1, 0, 3, (byte) name.length}, 0, byName, 0, 5);
        System.arraycopy(name, 0, byName, 5, name.length);
        byName[byName.length - 1] = 80;
        byte[] byAddress = {5, 1, 0, 1, 10, 0, 0, 1, 1, (byte) 0xbb};
        byte[] bySix = {5, 1, 0, 4, 32, 1, 13, -72, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 22};
        fuzz(
                4,
                List.of(byName, byAddress, bySix),
                5 + 255 + 2,
                bytes -> {
                    try {
                        assertNormal(SocksRequest.read(bytes));
                        return true;
                    } catch (SocksRequest.RefusedException refused) {
                        assertThat(refused.code()).isBetween(1, 8);
                        return false;
                    }
                });
        fuzz(
                5,
                List.of(new byte[] {5, 1, 0}, new byte[] {5, 2, 2, 0}),
                2 + 255,
                bytes -> SocksRequest.accepts(SocksRequest.greeting(bytes)));
    }

    @Test
    void firstMessagesOfTls() throws Exception {
        List<byte[]> valid =
                List.of(
                        Hello.naming("a.example"),
                        Hello.inRecordsOf(40, Hello.naming("a.example")),
                        Hello.withExtensions(Hello.names("a.example")));
        fuzz(
                6,
                valid,
                90 * 1024,
                bytes -> {
                    ClientHello.Read read = ClientHello.read(bytes);
                    assertThat(read.bytes().remaining()).isEqualTo(bytes.taken());
                    return read.beginning() instanceof ClientHello.Beginning.Tls;
                });
    }

    @Test
    void hosts() {
        fuzz(
                7,
                List.of(ascii("a-b.example"), ascii("[2001:db8::1]"), ascii("192.0.2.1")),
                LIMIT,
                bytes -> {
                    StringBuilder text = new StringBuilder();
                    for (int next = bytes.next(); next >= 0; next = bytes.next()) {
                        text.append((char) next);
                    }
                    try {
                        Host host = Host.parse(text.toString());
                        assertThat(Host.parse(host.toString())).isEqualTo(host);
                        return true;
                    } catch (InvalidInputException odd) {
                        assertThat(odd.message()).matches("[ -~]{1,300}");
                        return false;
                    }
                });
    }
}
