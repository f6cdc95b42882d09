package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.testing.Requirements;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Attempts of a session to reach what its rules do not allow, around the proxy. Each succeeds in a
 * session that shares the network of the host.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionEgressDenialIT {

    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private SessionFixture fixture;
    private ServerSocket server;
    private ServerSocket allowed;
    private DatagramSocket datagrams;
    private Session listed;
    private Session empty;
    private Session open;

    /** What is tried does not depend on a start of its own. */
    private final List<KeptRunning> kept = new ArrayList<>();

    @BeforeAll
    void start() throws Exception {
        Requirements.bwrap();
        Requirements.program("socat");
        Requirements.program("perl");
        server = new ServerSocket(0, 50, LOOPBACK);
        allowed = new ServerSocket(0, 50, LOOPBACK);
        datagrams = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
        Thread.ofVirtual().start(this::echo);
        fixture = SessionFixture.create();
        EgressPolicy list =
                new EgressPolicy(
                        EgressRules.parse(
                                List.of("tcp://127.0.0.1:" + allowed.getLocalPort()), List.of()),
                        Map.of(),
                        Optional.empty(),
                        List.of(),
                        List.of());
        listed = session("listed", new NetworkAccess.Own(list));
        empty = session("empty", NetworkAccess.Own.NOTHING);
        open = session("open", new NetworkAccess.Host());
        for (Session session : List.of(listed, empty, open)) {
            kept.add(session.keepRunning());
        }
    }

    private Session session(String name, NetworkAccess network) throws Exception {
        Path app = fixture.plain(name);
        return fixture.sessions.create(
                new SessionRequest(
                        List.of(new SessionRequest.RepoRequest(Optional.empty(), app)),
                        Optional.empty(),
                        SandboxPolicy.DEFAULT.with(network),
                        true,
                        List.of(),
                        List.of()));
    }

    private void echo() {
        try {
            while (true) {
                var packet = new java.net.DatagramPacket(new byte[100], 100);
                datagrams.receive(packet);
                datagrams.send(packet);
            }
        } catch (java.io.IOException closed) {
            // The tests are over.
        }
    }

    @AfterAll
    void stop() throws Exception {
        if (fixture != null) {
            kept.forEach(KeptRunning::close);
            fixture.remove();
            server.close();
            allowed.close();
            datagrams.close();
        }
    }

    private static CommandResult shell(Session session, String script) throws Exception {
        return session.run(
                CommandRequest.of("sh", "-c", script)
                        .with(new CommandRequest.Streams.Captured())
                        .within(Duration.ofSeconds(20)));
    }

    /** Nothing in both sessions with a network of their own, as expected with the host's. */
    private void onlyWithTheHostsNetwork(String script, String expected) throws Exception {
        assertThat(shell(open, script).outputText())
                .as("with the host's network")
                .matches(expected);
        for (Session session : List.of(listed, empty)) {
            CommandResult result = shell(session, script);
            assertThat(result.outputText()).as(script).isEqualTo("tried\n");
            assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
            assertThat(result.duration()).isLessThan(Duration.ofSeconds(10));
        }
    }

    private static String perl(String body) {
        return "exec perl -MSocket -e '" + body + "'";
    }

    private String connected() {
        return "(socket($t, AF_INET, SOCK_STREAM, 0) && connect($t, sockaddr_in("
                + server.getLocalPort()
                + ", INADDR_LOOPBACK)))";
    }

    @Test
    @Tag("NW-01")
    void nw01DirectConnectionsGoNowhere() throws Exception {
        onlyWithTheHostsNetwork(
                perl(
                        "print qq(connected\\n) if "
                                + connected()
                                + "; socket($s, AF_INET, SOCK_DGRAM, 0); send($s, \"x\", 0, sockaddr_in("
                                + datagrams.getLocalPort()
                                + ", INADDR_LOOPBACK)); vec($r = \"\", fileno($s), 1) = 1;"
                                + " print qq(answered\\n) if select($r, undef, undef, 0.5) > 0;"
                                + " print qq(tried\\n)"),
                "connected\nanswered\ntried\n");
    }

    @Test
    @Tag("NW-01")
    void nw01NoRouteLeadsOut() throws Exception {
        String interfaces = "grep : /proc/net/dev | grep -v '^ *lo:'; echo tried";
        Requirements.that(
                Files.readAllLines(Path.of("/proc/net/dev")).stream()
                        .anyMatch(line -> line.contains(":") && !line.strip().startsWith("lo:")),
                "needs a network interface on the host");
        onlyWithTheHostsNetwork(interfaces, "(.*:.*\n)+tried\n");
    }

    @Test
    @Tag("NW-01")
    void nw01NamesAddressesAndPacketsFailAtOnce() throws Exception {
        String script =
                perl(
                        "use Socket qw(:DEFAULT inet_pton AF_INET6 pack_sockaddr_in6); $start = time;"
                                + " $four = sockaddr_in(53, inet_aton(\"192.0.2.1\"));"
                                + " $six = pack_sockaddr_in6(53, inet_pton(AF_INET6, \"2001:db8::1\"));"
                                + " for $kind (SOCK_STREAM, SOCK_DGRAM) {"
                                + " for ([AF_INET, $four], [AF_INET6, $six]) {"
                                + " socket($s, $_->[0], $kind, 0) or next;"
                                + " connect($s, $_->[1]) and exit 3;"
                                + " $! =~ /unreachable|assign/ or die $!; } }"
                                + " socket($s, AF_INET, SOCK_RAW, 1) and exit 4;"
                                + " system(\"getent hosts example.org\") == 0 and exit 5;"
                                + " print time - $start < 2 ? \"closed\" : \"slow\"");
        for (Session session : List.of(listed, empty)) {
            CommandResult result = shell(session, script);
            assertThat(result.errorText()).isEmpty();
            assertThat(result.outputText()).isEqualTo("closed");
        }
    }

    @Test
    void loopbackOfTheSessionNeedsNoRule() throws Exception {
        for (Session session : List.of(listed, empty)) {
            CommandResult result =
                    shell(
                            session,
                            perl(
                                    "$a = sockaddr_in(8080, INADDR_LOOPBACK);"
                                            + " socket($l, AF_INET, SOCK_STREAM, 0); bind($l, $a) or"
                                            + " die $!; listen($l, 1); socket($c, AF_INET,"
                                            + " SOCK_STREAM, 0); connect($c, $a) or die $!;"
                                            + " accept($s, $l); syswrite($s, \"inside\\n\");"
                                            + " print scalar <$c>"));
            assertThat(result.outputText()).isEqualTo("inside\n");
        }
    }

    @Test
    @Tag("NW-03")
    void nw03WithoutItsVariablesAProgramHasNoWay() throws Exception {
        String direct =
                "unset $(env | cut -d= -f1 | grep -i proxy); NO_PROXY='*' "
                        + perl(connected() + " or exit 3");
        assertThat(shell(listed, direct).exit()).isEqualTo(3);
        assertThat(shell(open, direct).exit()).isZero();
    }

    private static String tunnel(String to) {
        return "printf x | socat -t 1 - PROXY:127.0.0.1:"
                + to
                + ",proxyport=${HTTP_PROXY##*:} 2>&1 | cat; echo done";
    }

    @Test
    @Tag("NW-24")
    void nw24ARelayInsideIsJudgedAsItsClient() throws Exception {
        String relayed =
                "port=${HTTP_PROXY##*:}; socat TCP4-LISTEN:7000,bind=127.0.0.1,fork"
                        + " TCP4:127.0.0.1:$port & sleep 0.3; printf x | socat -t 1 -"
                        + " PROXY:127.0.0.1:127.0.0.1:%d,proxyport=7000 2>&1 | cat";
        assertThat(shell(listed, relayed.formatted(server.getLocalPort())).outputText())
                .contains("is denied");
        assertThat(shell(listed, relayed.formatted(allowed.getLocalPort())).outputText())
                .doesNotContain("denied");
    }

    @Test
    @Tag("NW-25")
    void nw25TheProxyLeadsToNoOtherServiceOfTheHost() throws Exception {
        String script =
                tunnel("127.0.0.1:" + server.getLocalPort())
                        + ";"
                        + tunnel("localhost:" + server.getLocalPort())
                        + ";"
                        + tunnel("127.0.0.1:" + allowed.getLocalPort());
        String[] answers = shell(listed, script).outputText().split("done\n", -1);

        assertThat(answers).hasSize(4);
        assertThat(answers[0]).contains("is denied");
        assertThat(answers[1]).contains("is denied");
        assertThat(answers[2]).doesNotContain("denied");
    }

    @Test
    @Tag("NW-34")
    void nw34NothingThatASessionWritesIsARule() throws Exception {
        Path rules = fixture.layout(listed).egressRules();
        String allow =
                "{\"allow\":[\"tcp://127.0.0.1:" + server.getLocalPort() + "\"],\"deny\":[]}";
        String script =
                "for f in egress.json carrel.yaml /tmp/egress.json $HOME/egress.json $HOME/.config/carrel/carrel.yaml"
                        + " ; do mkdir -p $(dirname $f); echo '"
                        + allow
                        + "' >$f; done; echo '"
                        + allow
                        + "' >"
                        + rules
                        + "; "
                        + tunnel("127.0.0.1:" + server.getLocalPort());
        assertThat(shell(listed, script).outputText()).contains("is denied");
        assertThat(rules).doesNotExist();

        // The same text where only the host writes is one.
        Files.writeString(rules, allow);
        assertThat(shell(listed, tunnel("127.0.0.1:" + server.getLocalPort())).outputText())
                .doesNotContain("denied");
        Files.delete(rules);
    }

    @Test
    @Tag("NW-34")
    void nw34RulesThatCannotBeReadAllowNothing() throws Exception {
        Path rules = fixture.layout(listed).egressRules();
        SessionCommand command =
                listed.start(
                        CommandRequest.of(
                                        "sh",
                                        "-c",
                                        "until [ -e /tmp/broken ]; do sleep 0.05; done; "
                                                + tunnel("127.0.0.1:" + allowed.getLocalPort()))
                                .with(new CommandRequest.Streams.Captured()));
        Files.writeString(rules, "{\"allow\": [");
        Files.createFile(fixture.layout(listed).tmp().resolve("broken"));

        CommandResult result = command.await();
        Files.delete(rules);
        // Newer socats only warn.
        assertThat(result.outputText()).contains("socat").containsPattern(" [EW] ");
        assertThat(result.network().lost()).isPresent();
    }

    @Test
    void noNameServerIsKnownInside() throws Exception {
        String servers = "cat /etc/resolv.conf";
        assertThat(shell(open, servers).outputText())
                .isEqualTo(Files.readString(Path.of("/etc/resolv.conf")));
        for (Session session : List.of(listed, empty)) {
            assertThat(shell(session, servers).outputText())
                    .isNotEmpty()
                    .doesNotContain("nameserver");
        }
    }
}
