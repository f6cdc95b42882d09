package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.egress.ClientHello.Beginning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloTest {

    private static Beginning read(byte[] bytes) throws IOException {
        return ClientHello.read(new Bytes(bytes)).beginning();
    }

    private static Beginning tls(String name) {
        return new Beginning.Tls(name.isEmpty() ? Optional.empty() : Optional.of(name));
    }

    @Test
    void theNameIsReadAndEveryByteKept() throws Exception {
        byte[] hello = Hello.naming("allowed.example");
        byte[] more = Arrays.copyOf(hello, hello.length + 7);
        Bytes source = new Bytes(more);
        ClientHello.Read read = ClientHello.read(source);

        assertThat(read.beginning()).isEqualTo(tls("allowed.example"));
        assertThat(read.bytes()).isEqualTo(ByteBuffer.wrap(hello));
        assertThat(source.taken()).isEqualTo(hello.length);
    }

    @Test
    void aMessageWithoutANameHasNone() throws Exception {
        assertThat(read(Hello.naming(""))).isEqualTo(tls(""));
        assertThat(read(Hello.withExtensions())).isEqualTo(tls(""));
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 16, 50, 100, 1000})
    void aMessageInManyRecordsIsPutTogether(int size) throws Exception {
        byte[] hello = Hello.inRecordsOf(size, Hello.naming("allowed.example"));

        assertThat(read(hello)).isEqualTo(tls("allowed.example"));
    }

    /** NW-19: the name that the network is meant to see is the one that counts. */
    @Test
    void anEncryptedInnerMessageDoesNotHideTheOuterName() throws Exception {
        byte[] hello =
                Hello.withExtensions(
                        Hello.extension(0xfe0d, new byte[200]), Hello.names("outer.example"));

        assertThat(read(hello)).isEqualTo(tls("outer.example"));
    }

    @Test
    void twoNamesAreNoName() throws Exception {
        Beginning other = new Beginning.Other();
        assertThat(read(Hello.withExtensions(Hello.names("a.example"), Hello.names("b.example"))))
                .isEqualTo(other);
        assertThat(read(Hello.withExtensions(Hello.names("a.example", "b.example"))))
                .isEqualTo(other);
        assertThat(read(Hello.withExtensions(Hello.names("")))).isEqualTo(other);
        assertThat(read(Hello.withExtensions(Hello.names()))).isEqualTo(other);
        assertThat(read(Hello.withExtensions(Hello.extension(0, new byte[] {0})))).isEqualTo(other);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "\u0016",
                "\u0016\u0003",
                "\u0016\u0003\u0001\u0000\u0000",
                "\u0016\u0003\u0001@\u0001",
                "\u0016\u0002\u0001\u0000\u0005\u0001\u0000\u0000\u0001\u0000",
                "\u0016\u0003\u0005\u0000\u0005\u0001\u0000\u0000\u0001\u0000",
                "\u0016\u0003\u0001\u0000\u0005\u0002\u0000\u0000\u0001\u0000",
                "\u0016\u0003\u0001\u0000\u0005\u0001\u0000\u0000\u0001\u0000",
                "\u0017\u0003\u0001\u0000\u0005\u0001\u0000\u0000\u0001\u0000",
                "\u0080.\u0001\u0003\u0001",
                "\u0000"
            })
    void anythingElseIsNoTls(String text) throws Exception {
        assertThat(ClientHello.read(Bytes.of(text)).beginning()).isEqualTo(new Beginning.Other());
    }

    @Test
    void everyCutMessageIsNoTls() throws Exception {
        byte[] hello = Hello.naming("allowed.example");
        for (int length = 1; length < hello.length; length++) {
            assertThat(read(Arrays.copyOf(hello, length))).isEqualTo(new Beginning.Other());
        }
        assertThat(read(new byte[0])).isEqualTo(new Beginning.Silence());
    }

    @Test
    void whatIsNoTlsIsKnownAsSoonAsItBegins() throws Exception {
        Bytes source = Bytes.of("SSH-2.0-OpenSSH_9.2\r\n");
        ClientHello.read(source);

        assertThat(source.taken()).isEqualTo(1);
    }

    @Test
    void aMessageWithoutEndIsGivenUp() throws Exception {
        byte[] endless = new byte[200 * 1024];
        for (int at = 0; at + 1029 <= endless.length; at += 1029) {
            System.arraycopy(new byte[] {22, 3, 1, 4, 0}, 0, endless, at, 5);
        }
        System.arraycopy(new byte[] {1, (byte) 0xff, (byte) 0xff, (byte) 0xff}, 0, endless, 5, 4);
        Bytes source = new Bytes(endless);

        assertThat(ClientHello.read(source).beginning()).isEqualTo(new Beginning.Other());
        assertThat(source.taken()).isLessThan(2000);
    }
}
