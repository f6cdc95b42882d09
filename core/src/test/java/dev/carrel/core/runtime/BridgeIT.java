package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.bwrap.BridgeOptions.Direction;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real bridges between the loopback of a session and sockets of this process. */
class BridgeIT {

    private static final String ASK =
            "exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(PeerAddr =>"
                    + " \"127.0.0.1\", PeerPort => 3128) or die \"no way: $!\"; print $s"
                    + " \"question\"; shutdown($s, 1); print <$s>'";

    private RuntimeFixture session;
    private RunningCommand keeper;
    private Joined joined;

    @BeforeAll
    static void needs() {
        Requirements.bwrap();
        Requirements.program("socat");
        Requirements.program("perl");
    }

    @BeforeEach
    void start() throws Exception {
        session = RuntimeFixture.create();
        keeper = session.startAndAwait("sleep 600");
        joined = session.runtime().join(() -> session.view);
    }

    @AfterEach
    void end() throws Exception {
        joined.close();
        keeper.cancel();
        session.remove();
    }

    private Bridge bridge(BridgePlace place, Direction direction) throws InterruptedException {
        Bridge bridge =
                Bridge.start(
                        session.runtime(),
                        session.runner,
                        session.identity,
                        joined,
                        place,
                        direction);
        if (!bridge.awaitReady()) {
            throw new AssertionError(bridge.complaint());
        }
        return bridge;
    }

    private BridgePlace place() {
        return BridgePlace.create(session.files(), session.identity);
    }

    /** Answers each connection with what it read, in capitals, after a pause. */
    private ServerSocketChannel capitals(BridgePlace place) throws Exception {
        ServerSocketChannel server = place.listen(session.identity);
        Thread.ofVirtual().start(() -> serve(server));
        return server;
    }

    private static void serve(ServerSocketChannel server) {
        try {
            while (true) {
                try (SocketChannel client = server.accept()) {
                    ByteBuffer read = ByteBuffer.allocate(100);
                    while (client.read(read) >= 0) {
                        // until its end
                    }
                    Thread.sleep(700);
                    String text =
                            new String(read.array(), 0, read.position(), StandardCharsets.UTF_8);
                    client.write(StandardCharsets.UTF_8.encode(text.toUpperCase(Locale.ROOT)));
                }
            }
        } catch (ClosedChannelException e) {
            // The test is over.
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCommandReachesASocketOfTheHostByItsLoopbackAndHalfClosedConnectionsLive()
            throws Exception {
        BridgePlace place = place();
        try (ServerSocketChannel _ = capitals(place);
                Bridge _ = bridge(place, new Direction.Outward(3128))) {
            ProcessResult result = session.run(ASK);

            assertThat(result.errorText()).isEmpty();
            assertThat(result.outputText()).isEqualTo("QUESTION");
        }
        assertThat(session.run(ASK).errorText()).contains("no way: Connection refused");
        assertThat(session.files().bridges()).isEmptyDirectory();
    }

    @Test
    void theHostReachesAServerOfTheSession() throws Exception {
        RunningCommand server =
                session.start(
                        "exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 1,"
                                + " LocalAddr => \"127.0.0.1\", LocalPort => 4000) or die $!;"
                                + " open F, \">\", \"listening\"; close F;"
                                + " $c = $s->accept; print $c \"from inside\\n\"'");
        RuntimeFixture.await(
                () -> Files.exists(session.layout.upper("repo", 1).resolve("listening")),
                "the server listens");
        BridgePlace place = place();
        try (Bridge _ = bridge(place, new Direction.Inward(4000));
                SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            client.connect(UnixDomainSocketAddress.of(place.socket()));
            ByteBuffer answer = ByteBuffer.allocate(100);
            while (client.read(answer) >= 0) {
                // until its end
            }
            assertThat(new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8))
                    .isEqualTo("from inside\n");
        }
        assertThat(server.await().exit()).isZero();
    }

    @Test
    void aPortThatIsTakenIsSaid() throws Exception {
        BridgePlace one = place();
        BridgePlace two = place();
        try (ServerSocketChannel _ = capitals(one);
                Bridge _ = bridge(one, new Direction.Outward(3128));
                Bridge second =
                        Bridge.start(
                                session.runtime(),
                                session.runner,
                                session.identity,
                                joined,
                                two,
                                new Direction.Outward(3128))) {
            assertThat(second.awaitReady()).isFalse();
            assertThat(second.portWasTaken()).isTrue();
            assertThat(second.complaint()).contains("Address already in use");
        }
    }

    @Test
    void aBridgeEndsWithItsSession() throws Exception {
        BridgePlace place = place();
        try (ServerSocketChannel _ = capitals(place);
                Bridge bridge = bridge(place, new Direction.Outward(3128))) {
            joined.close();
            keeper.cancel();
            keeper.await();

            RuntimeFixture.await(() -> !bridge.isAlive(), "the bridge is gone");
            session.awaitNothingLeft();
        }
    }

    @Test
    void noCommandSeesTheSocketOrTheBridge() throws Exception {
        BridgePlace place = place();
        try (ServerSocketChannel _ = capitals(place);
                Bridge _ = bridge(place, new Direction.Outward(3128))) {
            ProcessResult result =
                    session.run(
                            "find / -xdev -type s 2>/dev/null; cat /proc/net/unix | grep -c bridge;"
                                    + " grep -l socat /proc/[0-9]*/comm 2>/dev/null; ls /bridge");
            assertThat(result.outputText()).isEqualTo("0\n");
            assertThat(
                            session.runner
                                    .run(
                                            Command.of(
                                                    "find",
                                                    session.files().bridges().toString(),
                                                    "-type",
                                                    "s"))
                                    .outputText())
                    .as("the same look on the host")
                    .isEqualTo(place.socket() + "\n");
            assertThat(result.errorText()).contains("/bridge");
        }
    }
}
