package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real bridges from sockets of the host to the loopback of a session. */
class BridgeIT {

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

    private Bridge bridge(BridgePlace place) throws InterruptedException {
        Bridge bridge =
                Bridge.start(
                        session.runtime(), session.runner, session.identity, joined, place, 4000);
        if (!bridge.awaitReady()) {
            throw new AssertionError(bridge.complaint());
        }
        return bridge;
    }

    private BridgePlace place() {
        return BridgePlace.create(session.files(), session.identity);
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
        try (Bridge _ = bridge(place);
                SocketChannel client = place.connect()) {
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
    void aBridgeEndsWithItsSession() throws Exception {
        BridgePlace place = place();
        try (Bridge bridge = bridge(place)) {
            joined.close();
            keeper.cancel();
            keeper.await();

            RuntimeFixture.await(() -> !bridge.isAlive(), "the bridge is gone");
            session.awaitNothingLeft();
        }
    }

    @Test
    @Tag("US-07")
    @Tag("US-08")
    void noCommandSeesTheSocketOrTheBridge() throws Exception {
        BridgePlace place = place();
        try (Bridge _ = bridge(place)) {
            ProcessResult result =
                    session.run(
                            "find / -xdev -type s 2>/dev/null;"
                                    + " grep -l socat /proc/[0-9]*/comm 2>/dev/null; ls /bridge");
            assertThat(result.outputText()).isEmpty();
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
