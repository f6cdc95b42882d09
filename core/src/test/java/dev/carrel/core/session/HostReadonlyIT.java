package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.host.Caller;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.policy.SessionSettings;
import dev.carrel.core.policy.Setting;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.session.SessionRequest.MountRequest;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that see the whole host, as they are used. */
@Timeout(120)
class HostReadonlyIT {

    private SessionFixture fixture;
    private Path launch;

    @BeforeEach
    void open() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
        Files.setPosixFilePermissions(fixture.base, PosixFilePermissions.fromString("rwxr-xr-x"));
        launch = fixture.plain("logs");
        Files.writeString(launch.resolve("app.log"), "one\n");
    }

    @AfterEach
    void remove() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    private Session session(Path directory, String... settings) throws InterruptedException {
        return fixture.sessions.create(request(directory, settings));
    }

    private static SessionRequest request(Path directory, String... settings) {
        List<Setting> all = new ArrayList<>();
        all.add(new Setting("mode", List.of("host_readonly"), "test"));
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            all.add(Setting.ofText(parts[0], parts[1], "test"));
        }
        return new SessionRequest(
                List.of(new RepoRequest(Optional.empty(), directory)),
                Optional.empty(),
                SessionSettings.of(all).sandbox(),
                true,
                List.of(),
                List.of());
    }

    private static String diff(Session session) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        session.printDiff(List.of(), false, DiffFormat.NAME_STATUS, false, out);
        return out.toString(UTF_8);
    }

    @Test
    void whatItWritesStaysWithTheSessionAndGoesWithIt() throws Exception {
        if (Caller.current().isRoot()) {
            // Then it runs as the one who owns the directory, and may change what is in it.
            fixture.shell("chown -R 12345:12345 " + launch);
        }
        var before = TreeImage.of(launch);
        Session session = session(launch);
        fixture.run(session, "echo two >>app.log; mkdir found; echo x >found/note; echo h >~/h");

        assertThat(fixture.run(session, "pwd; cat app.log found/note ~/h"))
                .isEqualTo(launch + "\none\ntwo\nx\nh\n");
        assertThat(diff(session)).isEqualTo("M\tapp.log\nA\tfound/note\n");
        assertThat(session.summary().changes()).isEqualTo(2);
        assertThat(session.summary().repos().getFirst().kind()).isEqualTo("scratch");
        assertThat(TreeImage.of(launch)).isEqualTo(before);

        assertThatThrownBy(() -> session.apply(List.of(), false))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("what it wrote goes with it and is not applied");
        assertThatThrownBy(() -> session.planUndo(false)).isInstanceOf(ConflictException.class);
        session.discard(List.of("app.log"));
        assertThat(fixture.run(session, "cat app.log; ls")).isEqualTo("one\napp.log\nfound\n");
        session.discard(List.of());
        assertThat(fixture.run(session, "ls")).isEqualTo("app.log\n");

        fixture.sessions.remove(session.id().value(), Sessions.Running.REFUSE);
        assertThat(TreeImage.of(launch)).isEqualTo(before);
        assertThat(fixture.sessionFiles()).isEmpty();
    }

    @Test
    void theHostIsSeenAtItsOwnPathsAsItIsNow() throws Exception {
        Path elsewhere = fixture.plain("elsewhere");
        Session session = session(launch, "host_readonly.scratch_overlay=false");
        try (var _ = session.keepRunning()) {
            assertThat(fixture.run(session, "cat app.log; touch x 2>&1; true"))
                    .startsWith("one\ntouch: cannot touch 'x': Read-only file system");
            Files.writeString(launch.resolve("app.log"), "one\nlater\n");
            Files.writeString(elsewhere.resolve("new"), "new\n");

            assertThat(
                            fixture.run(
                                    session,
                                    "cat app.log /tmp/host"
                                            + below(elsewhere)
                                            + "/new; ls -d /var/log /sys/class"))
                    .isEqualTo("one\nlater\nnew\n/sys/class\n/var/log\n");
        }
    }

    private static String below(Path path) {
        return path.toString().substring("/tmp".length());
    }

    @Test
    void homeAndTmpAreItsOwn() throws Exception {
        Session session = session(launch);
        fixture.run(session, "echo kept >/tmp/file; echo $HOME >~/file");

        assertThat(
                        fixture.run(
                                session,
                                "cat /tmp/file ~/file; [ -w ~ ] && echo writable; ls -d /tmp/host"
                                        + below(fixture.base)))
                .startsWith("kept\n/run/carrel-home\nwritable\n/tmp/host/");
        assertThat(Path.of("/tmp/file")).doesNotExist();

        Session without = session(launch, "host_readonly.expose_host_tmp=false");
        assertThat(fixture.run(without, "ls /tmp; cat app.log"))
                .isEqualTo(launch.getName(1) + "\none\n");
        Session ofMemory = session(launch, "persistent_home=false");
        try (var _ = ofMemory.keepRunning()) {
            assertThat(fixture.run(ofMemory, "echo x >~/gone; ls ~")).isEqualTo("gone\n");
            assertThat(fixture.run(ofMemory, "ls ~")).isEmpty();
        }
    }

    @Test
    void theHostsProcessesAreListedUnlessTheyAreHidden() throws Exception {
        Requirements.program("ps");
        String own = Long.toString(ProcessHandle.current().pid());
        String look = "ps -p " + own + " -o pid= | tr -d ' '; true";
        assertThat(fixture.run(session(launch), look)).isEqualTo(own + "\n");
        assertThat(fixture.run(session(launch, "host_readonly.unshare_pid=true"), "ps -e | wc -l"))
                .satisfies(count -> assertThat(Integer.parseInt(count.strip())).isLessThan(8));
    }

    @Test
    void networkIsShownOrNotAsItsSettingSays() throws Exception {
        String interfaces = "grep -c : /proc/net/dev";
        String host = fixture.shell(interfaces);
        assertThat(request(launch).policy())
                .isEqualTo(request(launch, "host_readonly.network=isolate").policy());
        assertThat(fixture.run(session(launch), interfaces)).isEqualTo("1\n");
        assertThat(fixture.run(session(launch, "sandbox.unshare_net=false"), interfaces))
                .isEqualTo("1\n");
        assertThat(fixture.run(session(launch, "host_readonly.network=share"), interfaces))
                .isEqualTo(host);
    }

    @Test
    void aListOfHostsWorksAlthoughUnixSocketsAreRefused() throws Exception {
        Requirements.program("socat");
        Requirements.program("curl");
        Session session = session(launch, "egress.allow=allowed.example.test");

        CommandResult result =
                session.run(
                        CommandRequest.of("curl", "-sS", "https://denied.example.test/")
                                .with(new CommandRequest.Streams.Captured()));

        assertThat(result.errorText()).contains("403");
        assertThat(result.network().denied()).hasSize(1);
    }

    @Test
    void usualToolsWork() throws Exception {
        String java = System.getProperty("java.home") + "/bin/java";
        assertThat(
                        fixture.run(
                                session(launch),
                                java
                                        + " -version 2>&1 | head -1; git --version; find /etc -name passwd 2>/dev/null; perl -MSocket -e 'socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) and print \"pair\\n\"'"))
                .contains("version", "git version 2.", "/etc/passwd", "pair");
    }

    @Test
    void pathsMeanTheSameInsideAndOutside() throws Exception {
        Session session = session(launch);

        assertThat(session.viewPath(launch + "/app.log").toString()).isEqualTo(launch + "/app.log");
        assertThat(session.hostPath(session.viewPath("app.log")))
                .contains(launch.resolve("app.log"));
        assertThat(session.hostPath(session.viewPath("/etc/passwd")))
                .contains(Path.of("/etc/passwd"));
        assertThat(session.hostPath(session.viewPath("/tmp/host/x"))).contains(Path.of("/tmp/x"));
        assertThat(session.hostPath(session.viewPath("/tmp/x"))).isEmpty();
        try (var _ = session.keepRunning()) {
            assertThat(session.files().read(session.viewPath("app.log")).bytes())
                    .isEqualTo("one\n".getBytes(UTF_8));
            assertThat(
                            session.run(
                                            CommandRequest.of("pwd")
                                                    .in("/etc")
                                                    .with(new CommandRequest.Streams.Captured()))
                                    .outputText())
                    .isEqualTo("/etc\n");
        }
    }

    @Test
    void itsRecordIsOfAVersionThatEarlierOnesRefuse() throws Exception {
        Session session = session(launch, "host_readonly.mask=/srv");
        Path record = fixture.layout(session).record();

        assertThat(Files.readString(record)).contains("\"version\" : 2", "\"hostReadonly\" : {");
        assertThat(fixture.record(session).policy().view())
                .isEqualTo(
                        new ViewMode.HostReadonly(true, true, false, List.of("/srv"), List.of()));
        Session ordinary = fixture.sessions.create(SessionRequest.of(fixture.git("repo")));
        assertThat(Files.readString(fixture.layout(ordinary).record()))
                .contains("\"version\" : 1")
                .doesNotContain("hostReadonly");
        // One that says of repositories that they are the host's own directory is none of ours.
        Path forged = fixture.layout(ordinary).record();
        Files.writeString(
                forged,
                Files.readString(forged).replace("\"kind\" : \"git\"", "\"kind\" : \"scratch\""));
        assertThatThrownBy(() -> fixture.record(ordinary)).isInstanceOf(BrokenStoreException.class);
    }

    @Test
    void whereItCannotStartIsSaidBeforeAnythingIsMade() throws Exception {
        assertThatThrownBy(() -> session(fixture.base))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("Carrel keeps its sessions in it");
        assertThatThrownBy(() -> session(Path.of("/")))
                .isInstanceOf(UnsupportedHostException.class);
        assertThatThrownBy(() -> session(fixture.state)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> session(Path.of("/dev")))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> session(launch.resolve("missing")))
                .isInstanceOf(CarrelException.class);
        SessionRequest usual = request(launch);
        assertThatThrownBy(() ->
                        fixture.sessions.create(
                                new SessionRequest(
                                        usual.repos(),
                                        usual.name(),
                                        usual.policy(),
                                        true,
                                        List.of(),
                                        List.of(new MountRequest(launch, Optional.empty())))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("nothing is to be mounted");
        assertThat(fixture.sessionFiles()).isEmpty();
        assertThat(fixture.run(session(Path.of("/"), "host_readonly.scratch_overlay=false"), "pwd"))
                .isEqualTo("/\n");
    }

    @Test
    void aPlanNamesTheHostAndWritesNothing() throws Exception {
        List<String> plan = fixture.sessions.explain(request(launch), CommandRequest.of("uptime"));

        assertThat(String.join("\n", plan))
                .contains(
                        "the whole host, read-only; started in "
                                + launch
                                + ", which is writable for the session",
                        "--ro-bind / /",
                        "--ro-bind /proc /proc");
        assertThat(fixture.sessionFiles()).isEmpty();
    }
}
