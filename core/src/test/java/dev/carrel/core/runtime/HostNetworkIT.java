package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.bwrap.Switching;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.testing.Requirements;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that shares the network of the host. */
class HostNetworkIT {

    private static final SandboxPath HERE = SandboxPath.of("/workspace/repo");

    private RuntimeFixture session;

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
        Requirements.program("perl");
    }

    @BeforeEach
    void start() throws Exception {
        session = RuntimeFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        session.remove();
    }

    private RunningProcess asSandboxUser(List<String> before, String... program) {
        List<String> words = new ArrayList<>(Switching.to(session.identity));
        words.addAll(before);
        words.addAll(List.of(program));
        return session.runner.start(Command.of(words));
    }

    @Test
    void reachesTheHostsLoopbackWhichOneWithItsOwnNetworkDoesNot() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<String> connect =
                    List.of(
                            "perl",
                            "-MIO::Socket::INET",
                            "-e",
                            "IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => "
                                    + server.getLocalPort()
                                    + ") or exit 3");

            assertThat(session.start(session.view.withHostNetwork(), HERE, connect).await().exit())
                    .isZero();
            session.awaitNothingLeft();
            assertThat(session.start(session.view, HERE, connect).await().exit()).isEqualTo(3);
        }
    }

    @Test
    void itsEndTakesItsOwnProcessesAndNoOthersOfTheSameUserAndNetwork() throws Exception {
        RunningProcess bystander = asSandboxUser(List.of(), "sleep", "600");
        RunningCommand running =
                session.start(session.view.withHostNetwork(), HERE, List.of("sleep", "600"));
        RuntimeFixture.await(() -> session.pause().isPresent(), "the session runs");
        RunningProcess left =
                asSandboxUser(
                        List.of(
                                "nsenter",
                                "--preserve-credentials",
                                "-U",
                                "-m",
                                "-t",
                                Long.toString(session.pause().orElseThrow().process().pid())),
                        "sleep",
                        "600");
        RuntimeFixture.await(
                () -> session.members().of(left.pid()).isPresent(), "the left one is inside");

        running.cancel();
        running.await();

        RuntimeFixture.await(() -> !left.isAlive(), "what was left is ended");
        session.awaitNothingLeft();
        assertThat(bystander.isAlive()).isTrue();
        bystander.kill();
    }
}
