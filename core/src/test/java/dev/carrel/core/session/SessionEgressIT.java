package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.store.Json;
import dev.carrel.core.testing.Requirements;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The network of sessions: real proxies, bridges and servers. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionEgressIT {

    private static final String LOOPBACK = "127.0.0.1";

    private ServerSocket web;
    private SessionFixture fixture;

    @BeforeAll
    void serve() throws Exception {
        Requirements.bwrap();
        Requirements.program("socat");
        Requirements.program("curl");
        web = new ServerSocket(0, 50, InetAddress.ofLiteral(LOOPBACK));
        Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = web.accept();
                Thread.ofVirtual().start(() -> answer(client));
            }
        } catch (IOException closed) {
            // The tests are over.
        }
    }

    /** With the host that was asked for. */
    private static void answer(Socket client) {
        try (client;
                BufferedReader head =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8))) {
            String host = "";
            for (String line = head.readLine(); line != null && !line.isEmpty(); ) {
                if (line.regionMatches(true, 0, "Host: ", 0, 6)) {
                    host = line.substring(6);
                }
                line = head.readLine();
            }
            String body = "served " + host;
            client.getOutputStream()
                    .write(
                            ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                                            + body.length()
                                            + "\r\n\r\n"
                                            + body)
                                    .getBytes(UTF_8));
        } catch (IOException gone) {
            // The client sees it.
        }
    }

    @AfterAll
    void stop() throws IOException {
        if (web != null) {
            web.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    private int port() {
        return web.getLocalPort();
    }

    /** The address of the local server is not public, so it has to be in the list itself. */
    private EgressPolicy names(String... allowed) {
        List<String> allow = new ArrayList<>(List.of(LOOPBACK + ":" + port()));
        for (String name : allowed) {
            allow.add(name + ":" + port());
        }
        return new EgressPolicy(
                EgressRules.parse(allow, List.of()),
                EgressPolicy.hosts(List.of("one.example=" + LOOPBACK, "two.example=" + LOOPBACK)),
                Optional.empty(),
                List.of(),
                List.of());
    }

    private static EgressPolicy hostPorts(int... ports) {
        List<Integer> all = new ArrayList<>();
        for (int port : ports) {
            all.add(port);
        }
        return new EgressPolicy(
                EgressRules.NONE, java.util.Map.of(), Optional.empty(), all, List.of());
    }

    private Session session(EgressPolicy egress) throws Exception {
        Path app = Files.createTempDirectory(fixture.base, "app");
        return fixture.sessions.create(
                new SessionRequest(
                        List.of(new SessionRequest.RepoRequest(Optional.of("app"), app)),
                        Optional.empty(),
                        SandboxPolicy.DEFAULT.with(new NetworkAccess.Own(egress)),
                        true,
                        List.of(),
                        List.of()));
    }

    private static CommandRequest captured(String script) {
        return CommandRequest.of("sh", "-c", script).with(new CommandRequest.Streams.Captured());
    }

    private String curl(String host) {
        return "curl -sS -m 10 http://" + host + ":" + port() + "/x";
    }

    @Test
    void aSessionThatSeesTheHostReachesTheHostsOfItsListAndNoOther() throws Exception {
        Session session =
                fixture.sessions.create(
                        new SessionRequest(
                                List.of(
                                        new SessionRequest.RepoRequest(
                                                Optional.empty(), fixture.plain("logs"))),
                                Optional.empty(),
                                SandboxPolicy.DEFAULT
                                        .with(new NetworkAccess.Own(names("one.example")))
                                        .with(ViewMode.HostReadonly.DEFAULT),
                                true,
                                List.of(),
                                List.of()));

        CommandResult result =
                session.run(
                        captured(
                                curl("one.example")
                                        + "; curl -sS -m 5 --noproxy '*' "
                                        + LOOPBACK
                                        + ":"
                                        + port()
                                        + " || echo; "
                                        + curl("two.example")));
        assertThat(result.outputText())
                .startsWith("served one.example:" + port() + "\negress to two.example");
        assertThat(result.network().denied()).hasSize(1);
    }

    @Test
    void aHostOfTheListIsReachedByItsNameAndNoOther() throws Exception {
        Session session = session(names("one.example"));
        CommandResult allowed;
        CommandResult denied;
        try (KeptRunning _ = session.keepRunning()) {
            allowed = session.run(captured(curl("one.example")));
            denied = session.run(captured(curl("two.example")));
        }

        assertThat(allowed.errorText()).isEmpty();
        assertThat(allowed.outputText()).isEqualTo("served one.example:" + port());
        assertThat(allowed.network()).isEqualTo(NetworkResult.NOTHING);
        assertThat(denied.outputText())
                .contains(
                        "egress to two.example:" + port() + " is denied: no rule allows it",
                        "carrel egress " + session.id() + " allow two.example:" + port());
        assertThat(denied.network().denied())
                .singleElement()
                .satisfies(denial -> {
                    assertThat(denial.host()).isEqualTo("two.example");
                    assertThat(denial.port()).isEqualTo(port());
                    assertThat(denial.cure()).contains("two.example:" + port());
                });
    }

    @Test
    @Tag("NW-02")
    void anEmptyListHasNeitherProxyNorBridgeNorVariables() throws Exception {
        Session session = session(EgressPolicy.NONE);

        assertThat(
                        session.run(
                                        captured(
                                                "env | grep -ci proxy; cat /proc/net/tcp /proc/net/tcp6"
                                                        + " | grep -c ' 0A '"))
                                .outputText())
                .isEqualTo("0\n0\n");
        assertThat(fixture.layout(session).run().resolve("bridges")).isEmptyDirectory();
        assertThat(fixture.layout(session).egressLog()).doesNotExist();
    }

    @Test
    void rulesOfALiveSessionHoldForTheNextConnectionAndEndTunnels() throws Exception {
        Session session = session(names("one.example"));
        SessionCommand command =
                session.start(
                        CommandRequest.of(
                                        "sh",
                                        "-c",
                                        "while read -r host; do curl -s -m 10 -o /dev/null -w"
                                                + " '%{http_code}\\n' http://$host:"
                                                + port()
                                                + "/; done")
                                .with(new CommandRequest.Streams.Piped()));
        try (BufferedReader answers =
                new BufferedReader(new InputStreamReader(command.output(), UTF_8))) {
            assertThat(asked(command, answers, "two.example")).isEqualTo("403");

            rules(session).allow(List.of(EgressRule.allow("two.example:" + port())));
            assertThat(asked(command, answers, "two.example")).isEqualTo("200");

            rules(session).deny(List.of(EgressRule.deny("one.example")));
            assertThat(asked(command, answers, "one.example")).isEqualTo("403");

            rules(session).reset(List.of());
            assertThat(asked(command, answers, "one.example")).isEqualTo("200");
            assertThat(asked(command, answers, "two.example")).isEqualTo("403");
            command.input().close();
        }
        assertThat(command.await().exit()).isZero();
    }

    private LiveRules rules(Session session) {
        return NetworkUse.rules(
                fixture.layout(session), SessionFormat.read(fixture.layout(session).record()));
    }

    private static String asked(SessionCommand command, BufferedReader answers, String host)
            throws IOException {
        command.input().write((host + "\n").getBytes(UTF_8));
        command.input().flush();
        return answers.readLine();
    }

    @Test
    void aTunnelToAHostThatIsDeniedLaterIsClosed() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral(LOOPBACK))) {
            server.setSoTimeout(20_000);
            int port = server.getLocalPort();
            EgressRules rules =
                    EgressRules.parse(
                            List.of("tcp://one.example:" + port, LOOPBACK + ":" + port), List.of());
            Session session = session(names().with(rules));
            SessionCommand command =
                    session.start(
                            captured(
                                    "(echo hello; sleep 30) | socat - PROXY:127.0.0.1:one.example:"
                                            + port
                                            + ",proxyport=${HTTP_PROXY##*:}"));
            try (Socket tunnel = server.accept()) {
                tunnel.setSoTimeout(10_000);
                assertThat(tunnel.getInputStream().readNBytes(6))
                        .isEqualTo("hello\n".getBytes(UTF_8));

                rules(session).deny(List.of(EgressRule.deny("one.example")));

                assertThat(ended(tunnel)).isTrue();
            }
            command.cancel();
            command.await();
        }
    }

    private static boolean ended(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // until its end
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    @Tag("NW-35")
    void aRuleForOneCommandIsNotAnotherOnes() throws Exception {
        Session session = session(names("one.example"));
        CommandRequest request = captured(curl("two.example"));
        CommandNetwork more = CommandNetwork.of(List.of("two.example:" + port()), List.of());
        Path users = fixture.layout(session).run().resolve("hold/alive");
        // So that the session goes on when its last command ends.
        try (FileChannel _ =
                FileChannel.open(users, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertThat(session.run(request.with(more)).outputText()).startsWith("served");
            assertThat(session.run(request).outputText()).contains("is denied");
            assertThat(session.run(captured(curl("one.example")).with(more)).outputText())
                    .startsWith("served");
        }
    }

    @Test
    void chosenPortsOfTheHostAreReachedAtTheirNumberAndNoOthers() throws Exception {
        Session session = session(hostPorts(port()));
        String ask = "curl -sS -m 5 http://127.0.0.1:";

        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.ofLiteral(LOOPBACK))) {
            CommandResult result =
                    session.run(captured(ask + port() + "; " + ask + other.getLocalPort()));
            assertThat(result.outputText()).isEqualTo("served 127.0.0.1:" + port());
            assertThat(result.errorText()).contains("connect");
        }
        assertThat(session(EgressPolicy.NONE).run(captured(ask + port())).errorText())
                .contains("connect");
    }

    @Test
    void twoProcessesOfASessionServeThePortsOfTheHostOneAfterTheOther() throws Exception {
        Session session = session(hostPorts(port()));
        // Another holder of sessions, as another process is.
        Session other =
                SessionFixture.at(fixture.base, Requirements.bwrap())
                        .sessions
                        .find(session.id().value());
        SessionCommand first = session.start(captured("sleep 600"));
        SessionCommand second =
                other.start(
                        captured(
                                "while [ ! -e /tmp/go ]; do sleep 0.2; done; i=0; until curl -sS -m 5"
                                        + " http://127.0.0.1:"
                                        + port()
                                        + " || [ $i = 60 ]; do i=$((i+1)); sleep 0.1; done"));
        assertThat(session.run(captured("curl -sS -m 5 http://127.0.0.1:" + port())).outputText())
                .startsWith("served");

        first.cancel();
        first.await();
        Files.createFile(fixture.layout(session).tmp().resolve("go"));

        assertThat(second.await().outputText()).startsWith("served");
    }

    @Test
    void aPublishedPortIsTheHostsWhileTheCommandRuns() throws Exception {
        Requirements.program("perl");
        int free;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.ofLiteral(LOOPBACK))) {
            free = probe.getLocalPort();
        }
        Session session = session(EgressPolicy.NONE);
        SessionCommand command =
                session.start(
                        CommandRequest.of(
                                        "perl",
                                        "-MIO::Socket::INET",
                                        "-e",
                                        "$| = 1; $s = IO::Socket::INET->new(Listen => 5, LocalAddr =>"
                                                + " '127.0.0.1', LocalPort => "
                                                + free
                                                + ", ReuseAddr => 1) or die $!; print \"ready\\n\";"
                                                + " while ($c = $s->accept) { print $c \"inside\\n\";"
                                                + " close $c }")
                                .with(new CommandRequest.Streams.Piped())
                                .with(CommandNetwork.of(List.of(), List.of(free))));
        command.output().read();
        try (Socket client = new Socket(InetAddress.ofLiteral(LOOPBACK), free)) {
            assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
                    .isEqualTo("inside\n");
        }
        command.cancel();
        command.await();

        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> new Socket(InetAddress.ofLiteral(LOOPBACK), free).close())
                .isInstanceOf(java.net.ConnectException.class);
    }

    /** What the kernel's table says of the session's network. */
    private int listening(Session session) throws IOException {
        Path record = fixture.layout(session).run().resolve("hold/pause.json");
        long pause = Json.read(record).integer("pid");
        return (int)
                Files.readAllLines(Path.of("/proc", pause + "", "net/tcp")).stream()
                        .filter(line -> line.contains("0100007F:0C38 00000000:0000 0A"))
                        .count();
    }

    @Test
    void commandsOfOneProcessShareAProxyAndTheLastOneEndsIt() throws Exception {
        Session session = session(names("one.example"));
        Path users = fixture.layout(session).run().resolve("hold/alive");
        // So that the session goes on when its last command ends.
        try (FileChannel _ =
                FileChannel.open(users, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            SessionCommand one = session.start(captured("sleep 600"));
            SessionCommand two = session.start(captured("sleep 600"));
            assertThat(session.run(captured("echo $HTTP_PROXY")).outputText())
                    .isEqualTo("http://127.0.0.1:3128\n");

            one.cancel();
            one.await();
            assertThat(session.run(captured(curl("one.example"))).outputText())
                    .startsWith("served");
            assertThat(listening(session)).isOne();
            two.cancel();
            two.await();

            while (listening(session) > 0) {
                Thread.sleep(5);
            }
        }
    }
}
