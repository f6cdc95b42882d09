package dev.carrel.core.session.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.KeptRunning;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.testing.Authority;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A session that may reach one host, whose server has a certificate of an authority that only
 * {@code egress.extra_ca} names, and no other.
 */
final class Clients {

    static final String HOST = "allowed.example.test";

    final SessionFixture fixture;
    final FileServer server;
    final Session session;
    private final EgressPolicy egress;
    private final KeptRunning kept;

    /** Besides, these rules and host files are there. */
    Clients(List<String> allow, List<SessionRequest.MountRequest> mounts) throws Exception {
        fixture = SessionFixture.create();
        Authority authority = Authority.of(HOST);
        Path pem = Files.writeString(fixture.base.resolve("authority.pem"), authority.pem());
        server = new FileServer(authority.tls());
        List<String> rules = new java.util.ArrayList<>(allow);
        rules.addAll(List.of(HOST + ":" + server.port(), "127.0.0.1:" + server.port()));
        egress =
                new EgressPolicy(
                        EgressRules.parse(rules, List.of()),
                        EgressPolicy.hosts(List.of(HOST + "=127.0.0.1")),
                        Optional.empty(),
                        List.of(),
                        List.of(pem));
        session = session("app", egress, mounts);
        // One start of the session for all of them.
        kept = session.keepRunning();
    }

    private Session session(
            String name, EgressPolicy reached, List<SessionRequest.MountRequest> mounts)
            throws Exception {
        return fixture.sessions.create(
                new SessionRequest(
                        List.of(
                                new SessionRequest.RepoRequest(
                                        Optional.empty(), fixture.plain(name))),
                        Optional.empty(),
                        SandboxPolicy.DEFAULT.with(new NetworkAccess.Own(reached)),
                        true,
                        List.of(),
                        mounts));
    }

    /** The same in a session that reaches the same host, and is told of no authority. */
    CommandResult runWithoutAuthority(String script) throws Exception {
        EgressPolicy untold =
                new EgressPolicy(
                        egress.rules(),
                        egress.hosts(),
                        egress.upstream(),
                        egress.hostPorts(),
                        List.of());
        return run(session("untold", untold, List.of()), script, Map.of());
    }

    /** Runs a script of sh; {@code @URL@} in it is the root of the server. */
    CommandResult run(String script, Map<String, String> variables) throws InterruptedException {
        return run(session, script, variables);
    }

    private CommandResult run(Session in, String script, Map<String, String> variables)
            throws InterruptedException {
        return in.run(
                new CommandRequest(
                                List.of("sh", "-c", forHost(script, HOST)),
                                variables,
                                Optional.empty(),
                                new CommandRequest.Streams.Captured())
                        .within(Duration.ofSeconds(60)));
    }

    /**
     * With the allowed host it succeeds and prints this; with another it fails, and the denial
     * names that host. One command, as each is a sandbox of its own: the script twice, or once if
     * it takes the other host itself, at {@code @DENIED@}.
     */
    void reachesNoOther(String client, String script, String printed) throws InterruptedException {
        String host = client + ".denied.test";
        boolean twice = !script.contains("@DENIED@");
        String both =
                twice
                        ? "(" + script + "\n) && echo reached && (" + forHost(script, host) + "\n)"
                        : script.replace("@DENIED@", url(host));
        CommandResult result = run(both, Map.of());
        assertThat(said(result)).contains(printed);
        assertThat(!twice || result.outputText().contains("reached\n")).as(said(result)).isTrue();
        assertThat(result.exit()).as(said(result)).isNotZero();
        assertThat(result.network().denied().stream().map(EgressEvent.Denied::host))
                .as(said(result))
                .contains(host);
    }

    String url(String host) {
        return "https://" + host + ":" + server.port();
    }

    private String forHost(String script, String host) {
        return script.replace("@URL@", url(host));
    }

    static String said(CommandResult result) {
        return result.outputText() + result.errorText();
    }

    /** What was downloaded for these tests, in the directory that CARREL_TEST_CLIENTS names. */
    static Path downloads(String name) {
        Optional<Path> found = downloaded(name);
        Requirements.that(found.isPresent(), "needs " + name + " in CARREL_TEST_CLIENTS");
        return found.orElseThrow();
    }

    static Optional<Path> downloaded(String name) {
        return Optional.ofNullable(System.getenv("CARREL_TEST_CLIENTS"))
                .map(named -> Path.of(named, name))
                .filter(Files::isDirectory);
    }

    /** A repository of git's on the host. */
    synchronized Path repository() throws Exception {
        Path bare = fixture.base.resolve("project.git");
        if (!Files.exists(bare)) {
            Path source = fixture.git("source");
            fixture.git(source, "clone", "-q", "--bare", ".", bare.toString());
            fixture.git(bare, "update-server-info");
        }
        return bare;
    }

    void close() throws Exception {
        kept.close();
        server.close();
        fixture.remove();
    }
}
