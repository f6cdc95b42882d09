package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.bwrap.BridgeOptions;
import dev.carrel.core.host.Loopback;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sockets of this process that listen at the loopback of a real session. */
class SessionListenerIT {

    private static final String ASK =
            "exec perl -MSocket -e 'socket($s, AF_INET, SOCK_STREAM, 0); connect($s,"
                    + " sockaddr_in(3128, INADDR_LOOPBACK)) or die \"no way: $!\"; syswrite($s,"
                    + " \"question\"); shutdown($s, 1); print <$s>'";

    private static RuntimeFixture session;
    private static RunningCommand keeper;
    private static Joined joined;

    @BeforeAll
    static void start() throws Exception {
        Requirements.bwrap();
        Requirements.program("socat");
        Requirements.program("perl");
        session = RuntimeFixture.create();
        keeper = session.startAndAwait("exec sleep 600");
        joined = session.runtime().join(() -> session.view);
    }

    @AfterAll
    static void end() throws Exception {
        if (joined != null) {
            joined.close();
            keeper.cancel();
            keeper.await();
        }
        if (session != null) {
            session.remove();
        }
    }

    /** A socket that a thread waits at is closed a little later. */
    @AfterEach
    void awaitFreePort() throws Exception {
        RuntimeFixture.await(
                () -> !Loopback.of(joined.pausePid()).isTaken(3128), "the port is free again");
    }

    private Optional<ServerSocketChannel> listen() throws InterruptedException {
        return SessionListener.open(
                session.runtime(), session.runner, session.identity, joined, 3128);
    }

    /** Answers each connection with what it read, in capitals, after a pause. */
    private ServerSocketChannel capitals() throws Exception {
        ServerSocketChannel server = listen().orElseThrow();
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
    void aCommandReachesThisProcessByItsLoopbackAndHalfClosedConnectionsLive() throws Exception {
        try (ServerSocketChannel _ = capitals()) {
            ProcessResult result = session.run(ASK);

            assertThat(result.errorText()).isEmpty();
            assertThat(result.outputText()).isEqualTo("QUESTION");
        }
        assertThat(session.run(ASK).errorText()).contains("no way: Connection refused");
    }

    @Test
    @Tag("US-10")
    void nobodyOfTheHostReachesItsPort() throws Exception {
        try (ServerSocketChannel server = listen().orElseThrow();
                ServerSocketChannel own = ServerSocketChannel.open()) {
            int replaced = ((InetSocketAddress) server.getLocalAddress()).getPort();

            assertThatThrownBy(() -> SocketChannel.open(loopback(replaced)).close())
                    .isInstanceOf(ConnectException.class);
            // Its number is free on the host: the socket is the session's.
            own.bind(loopback(3128));
            assertThat(server.isOpen()).isTrue();
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    @Test
    void aPortThatIsTakenIsSaid() throws Exception {
        try (ServerSocketChannel _ = listen().orElseThrow()) {
            assertThat(listen()).isEmpty();
        }
        try (ServerSocketChannel again = listen().orElseThrow()) {
            assertThat(again.isOpen()).isTrue();
        }
    }

    @Test
    void noProgramOfItIsLeftInTheSession() throws Exception {
        try (ServerSocketChannel _ = listen().orElseThrow()) {
            assertThat(members(session).stream().flatMap(pid -> ProcessHandle.of(pid).stream()))
                    .isNotEmpty()
                    .noneMatch(
                            process -> process.info().commandLine().orElse("").contains("LISTEN"));
        }
    }

    private static Set<Long> members(RuntimeFixture session) {
        return session.members().all().stream().map(Member::pid).collect(Collectors.toSet());
    }

    @Test
    @Tag("US-11")
    void whatAKilledProcessLeftListeningServesNobodyAndEndsWithTheSession() throws Exception {
        RuntimeFixture session = RuntimeFixture.create();
        RunningCommand keeper = session.startAndAwait("exec sleep 600");
        Joined joined = session.runtime().join(() -> session.view);
        RunningProcess left =
                session.runner.start(
                        Command.of(
                                BridgeOptions.listening(
                                        session.identity, joined.joining(), 3128, session.token)));
        RuntimeFixture.await(
                () -> members(session).contains(left.pid()), "it is known as one of the session");
        RuntimeFixture.await(() -> Loopback.of(joined.pausePid()).isTaken(3128), "it listens");

        assertThat(session.run(ASK).outputText()).isEmpty();
        assertThat(left.isAlive()).isTrue();

        joined.close();
        keeper.cancel();
        keeper.await();
        RuntimeFixture.await(() -> !left.isAlive(), "it is gone");
        session.awaitNothingLeft();
        session.remove();
    }

    @Test
    @Tag("US-07")
    @Tag("US-09")
    void noCommandSeesASocketOfTheHost() throws Exception {
        try (ServerSocketChannel _ = capitals()) {
            ProcessResult result =
                    session.run(
                            "find / -xdev -type s 2>/dev/null; grep -c / /proc/net/unix;"
                                    + " grep -l socat /proc/[0-9]*/comm 2>/dev/null; :");
            assertThat(result.outputText()).isEqualTo("0\n");
        }
    }
}
