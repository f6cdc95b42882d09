package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.SessionSettings;
import dev.carrel.core.policy.Setting;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionCommand;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The origin stays as it was, sessions do not see each other, and commands end as they say. */
final class SessionIsolationIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private SessionFixture fixture;

    @BeforeEach
    void create() throws Exception {
        fixture = SessionFixture.create();
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    @Test
    void everyKindOfChangeIsListedAndTheOriginKeepsEveryByte() throws Exception {
        Path origin = fixture.plain("project");
        for (String name : List.of("a", "b", "c", "e")) {
            Files.writeString(origin.resolve(name), name + "\n");
        }
        var before = TreeImage.of(origin);
        Session session = fixture.sessions.create(SessionRequest.of(origin));

        run(session, "echo x >>a; rm b; mv c d; chmod +x e; ln -s a l");

        assertThat(nameStatus(session).lines().map(line -> line.replaceAll("^R\\d+", "R")))
                .containsExactlyInAnyOrder("M\ta", "D\tb", "R\tc\td", "M\te", "A\tl");
        assertThat(TreeImage.of(origin)).isEqualTo(before);
    }

    @Test
    void aCleanCheckoutStaysCleanInsideAndOutside() throws Exception {
        Path origin = fixture.git("project");
        Session session = fixture.sessions.create(SessionRequest.of(origin));

        for (int i = 0; i < 3; i++) {
            run(session, "true");
        }

        assertThat(run(session, "git status --porcelain --ignored")).isEmpty();
        assertThat(fixture.git(origin, "status", "--porcelain", "--ignored")).isEmpty();
        assertThat(nameStatus(session)).isEmpty();
        assertThat(dotFiles(origin)).containsExactlyInAnyOrder(".git", ".gitignore");
    }

    private static List<String> dotFiles(Path directory) throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("."))
                    .toList();
        }
    }

    @Test
    @Tag("NS-17")
    void theFrozenBaseIsNotWhatASessionWrites() throws Exception {
        Path origin = fixture.plain("project");
        Files.writeString(origin.resolve("a"), "one\n");
        Session session = fixture.sessions.create(SessionRequest.of(origin));
        var before = TreeImage.of(fixture.state.resolve("snapshots"));

        run(session, "echo appended >>a; perl -e 'open(F, \"+<\", \"a\"); print F \"X\"'");

        assertThat(run(session, "cat a")).isEqualTo("Xne\nappended\n");
        assertThat(TreeImage.of(fixture.state.resolve("snapshots"))).isEqualTo(before);
        assertThat(origin.resolve("a")).hasContent("one\n");
    }

    @Test
    @Tag("NS-06")
    void linksOfTheOriginLeadNowhere() throws Exception {
        Path elsewhere = fixture.plain("elsewhere");
        Files.writeString(elsewhere.resolve("secret"), "secret\n");
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path origin = fixture.plain("project");
        Files.writeString(origin.resolve("inside"), "inside\n");
        Files.createSymbolicLink(origin.resolve("out"), elsewhere);
        Files.createSymbolicLink(origin.resolve("up"), Path.of("../elsewhere"));
        Files.createSymbolicLink(origin.resolve("here"), Path.of("inside"));
        var before = TreeImage.of(elsewhere);
        Session session = fixture.sessions.create(SessionRequest.of(origin));

        String reached =
                """
                cat out/secret && echo reached
                cat up/secret && echo reached
                (echo x >out/new) && echo reached
                ln -s /etc/shadow later && cat later && echo reached
                cat here
                """;
        assertThat(run(session, reached)).isEqualTo("inside\n");
        assertThat(TreeImage.of(elsewhere)).isEqualTo(before);
    }

    @Test
    void sessionsDoNotSeeEachOthersFilesAndLeaveNone() throws Exception {
        Path origin = fixture.plain("project");
        Session one = fixture.sessions.create(SessionRequest.of(origin));
        Session two = fixture.sessions.create(SessionRequest.of(origin));
        String write = "echo %s >/tmp/name; echo %s >\"$HOME/name\"; echo %s >name";
        run(one, write.formatted("1", "1", "1"));
        run(two, write.formatted("2", "2", "2"));

        String read = "cat /tmp/name \"$HOME/name\" name";
        assertThat(run(one, read)).isEqualTo("1\n1\n1\n");
        assertThat(run(two, read + "; ls -d /proc/[0-9]* | wc -l")).matches("2\n2\n2\n[0-9]\n");

        fixture.sessions.remove(one.id().value(), Sessions.Running.REFUSE);
        fixture.sessions.remove(two.id().value(), Sessions.Running.REFUSE);
        try (Stream<Path> left = Files.walk(fixture.state)) {
            assertThat(left.filter(file -> file.endsWith("name"))).isEmpty();
        }
    }

    @Test
    @Tag("RS-03")
    void memoryFileSystemsAreSized() throws Exception {
        Path origin = fixture.plain("project");
        SessionRequest usual = SessionRequest.of(origin);
        SessionSettings settings =
                SessionSettings.of(
                        List.of(
                                Setting.ofText("session_tmp", "false", "test"),
                                Setting.ofText("persistent_home", "false", "test")));
        Session session =
                fixture.sessions.create(
                        new SessionRequest(
                                usual.repos(),
                                Optional.empty(),
                                settings.sandbox(),
                                true,
                                List.of(),
                                List.of()));

        String sizes =
                run(
                        session,
                        "df -P -k /dev/shm /tmp \"$HOME\" /run/carrel | awk 'NR > 1 { print $1, $2 }'");

        assertThat(sizes.lines())
                .hasSize(4)
                .allSatisfy(line -> {
                    assertThat(line).startsWith("tmpfs ");
                    assertThat(Long.parseLong(line.substring(6))).isLessThanOrEqualTo(512 * 1024);
                });
    }

    @Test
    @Tag("US-10")
    void theStateIsForItsOwnerAlone() throws Exception {
        Path origin = fixture.plain("project");
        fixture.sessions.create(SessionRequest.of(origin));

        boolean root = dev.carrel.core.host.Caller.current().isRoot();
        String mode = root ? "rwx--x--x" : "rwx------";
        assertThat(Files.getPosixFilePermissions(fixture.state))
                .isEqualTo(PosixFilePermissions.fromString(mode));
    }

    @Test
    void exitsArriveUnchanged() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(fixture.plain("project")));
        // So that the session has not to be started for each.
        SessionCommand other =
                session.start(
                        CommandRequest.of("sleep", "600").with(new CommandRequest.Streams.Piped()));

        assertThat(exit(session, "exit 0")).isZero();
        assertThat(exit(session, "exit 1")).isEqualTo(1);
        assertThat(exit(session, "exit 37")).isEqualTo(37);
        assertThat(exit(session, "kill -9 $$")).isEqualTo(137);
        assertThat(exit(session, "no-such-program")).isEqualTo(127);
        assertThat(session.run(captured("no-such-program")).exit()).isEqualTo(127);
        other.cancel();
        other.await();
    }

    @Test
    void aMountThatIsMissingIsNamedAndNothingRuns() throws Exception {
        Path origin = fixture.plain("project");
        Path shown = fixture.plain("shown");
        assertThatThrownBy(
                        () -> fixture.sessions.create(showing(origin, fixture.base.resolve("no"))))
                .isInstanceOf(NotFoundException.class)
                .hasMessageContaining(fixture.base.resolve("no") + " to mount");
        assertThat(fixture.sessions.list()).isEmpty();

        // Not the one that fails later: what it was shown stays with it while it winds down.
        Session control = fixture.sessions.create(showing(origin, shown));
        assertThat(run(control, "test -d /shown && echo shown")).isEqualTo("shown\n");
        Session session = fixture.sessions.create(showing(origin, shown));
        Files.delete(shown);
        assertThatThrownBy(() -> session.run(captured("touch", "ran")))
                .isInstanceOf(CarrelException.class)
                .hasMessageContaining(shown.toString());
        Files.createDirectory(shown);
        assertThat(run(session, "ls")).isEmpty();
    }

    private static SessionRequest showing(Path origin, Path shown) {
        return new SessionRequest(
                SessionRequest.of(origin).repos(),
                Optional.empty(),
                SandboxPolicy.DEFAULT,
                true,
                List.of(),
                List.of(new SessionRequest.MountRequest(shown, Optional.of("/shown"))));
    }

    private static CommandRequest captured(String... argv) {
        return CommandRequest.of(argv).with(new CommandRequest.Streams.Captured());
    }

    private static String run(Session session, String script) throws Exception {
        CommandResult result = session.run(captured("sh", "-c", script));
        assertThat(result.exit()).as(result.errorText()).isZero();
        return result.outputText();
    }

    private static int exit(Session session, String script) throws Exception {
        return session.run(captured("sh", "-c", script)).exit();
    }

    private static String nameStatus(Session session) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        session.printDiff(List.of(), false, DiffFormat.NAME_STATUS, false, out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
