package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.host.Caller;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionState;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.SeenProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ends of every kind: cancelled, killed, rebooted, refused. Nothing goes on behind them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SessionLifecycleDenialIT {

    private static final String COVER = "mount -t tmpfs none /proc/irq";

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private final String number = "600." + System.nanoTime();
    private SessionFixture fixture;
    private Path origin;

    @BeforeEach
    void create() throws Exception {
        fixture = SessionFixture.create();
        origin = fixture.plain("project");
        Files.writeString(origin.resolve("a"), "one\n");
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    private boolean runs() {
        return !SessionProcesses.withArgument(number).isEmpty();
    }

    private String stubborn() {
        return "trap '' TERM INT HUP QUIT; setsid sleep " + number + " & sleep " + number;
    }

    private Thread start(Session session, String script) throws Exception {
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                session.run(captured(script));
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        SessionProcesses.await("the command runs", this::runs);
        return thread;
    }

    @Test
    @Tag("SG-04")
    void aCancelledCommandLeavesNothingHoweverItResists() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(origin));
        Thread command = start(session, stubborn());

        command.interrupt();
        command.join(20_000);

        assertThat(command.isAlive()).isFalse();
        assertThat(runs()).isFalse();
    }

    @Test
    @Tag("LC-01")
    @Tag("SG-06")
    void aKilledCallerLeavesNothing() throws Exception {
        Process child =
                ChildJvm.start(
                        SessionChild.class,
                        fixture.state.toString(),
                        origin.toString(),
                        stubborn());
        SessionProcesses.await("the command runs", this::runs);
        assertThat(SeenProcesses.with(fixture.base.getFileName().toString())).isNotEmpty();

        child.destroyForcibly().waitFor();

        SessionProcesses.await(
                "nothing of the session runs",
                () ->
                        !runs()
                                && SeenProcesses.with(fixture.base.getFileName().toString())
                                        .isEmpty());
        assertThat(origin).isDirectoryContaining(file -> file.endsWith("a"));
        assertThat(origin.toFile().list()).containsExactly("a");
        assertThat(fixture.sessions.list()).hasSize(1);
    }

    @Test
    void afterARebootASessionIsStoppedAndHasItsFiles() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(origin));
        String look = "cat a new $HOME/kept /tmp/kept; ls -A";
        session.run(captured("echo two >>a; echo new >new; echo h >$HOME/kept; echo t >/tmp/kept"));
        String before = session.run(captured(look)).outputText();
        Thread command = start(session, "sleep " + number);

        for (long pid : SeenProcesses.with(fixture.base.getFileName().toString())) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
        command.join(20_000);
        SessionProcesses.await(
                "nothing runs",
                () -> SeenProcesses.with(fixture.base.getFileName().toString()).isEmpty());

        try (Sessions later = Sessions.open(fixture.settings, _ -> {})) {
            assertThat(later.list())
                    .singleElement()
                    .satisfies(
                            summary -> assertThat(summary.state()).isEqualTo(SessionState.STOPPED));
            Session again = later.find(session.id().value());
            assertThat(again.run(captured(look)).outputText())
                    .isEqualTo(before)
                    .startsWith("one\ntwo\nnew\nh\nt\n");
        }
    }

    @Test
    @Tag("NS-13")
    @Tag("US-10")
    void aSecondUserHasSessionsOfItsOwnButWhereNamespacesAreOffNothingRunsAtAll() throws Exception {
        String script = "echo mine >b; id -u; ls -A " + fixture.state;
        Path shared = OtherUser.place(fixture);
        fixture.sessions.create(SessionRequest.of(origin));

        String refused =
                output(OtherUser.withoutNamespaces(OtherUser.child(fixture, shared, script)));

        assertThat(refused)
                .contains("refused: ")
                .contains("max_user_namespaces")
                .doesNotContain("exit ");
        // The control: the same process where namespaces can be made.
        String output = output(OtherUser.child(fixture, shared, script));
        assertThat(output).contains("exit 2").contains("changes 1");
        assertThat(output.lines().findFirst()).hasValue(Integer.toString(OtherUser.uid()));
    }

    /** As in a container that hides parts of /proc: the kernel allows no fresh one then. */
    @Test
    @Tag("NS-14")
    void whereNoProcOfItsOwnCanBeMountedNothingRuns() throws Exception {
        Path marker = fixture.base.resolve("marker");
        List<String> child = child("echo ran >" + marker + "; echo ran");

        String output = output(withProcCovered(child));

        assertThat(output).contains("refused: ").contains("/proc").doesNotContain("exit 0");
        assertThat(marker).doesNotExist();
        // The control: the same namespaces, and nothing covered.
        List<String> uncovered =
                withProcCovered(child("echo ran")).stream()
                        .map(word -> word.replace(COVER, "true"))
                        .toList();
        assertThat(output(uncovered)).contains("ran\nexit 0");
    }

    private static List<String> withProcCovered(List<String> command) {
        Caller caller = Caller.current();
        List<String> wrapped =
                new ArrayList<>(
                        List.of(
                                "unshare",
                                caller.isRoot() ? "-m" : "-rm",
                                "sh",
                                "-c",
                                COVER + " || exit 9; exec \"$@\"",
                                "sh"));
        if (!caller.isRoot()) {
            wrapped.addAll(
                    List.of(
                            "unshare",
                            "--user",
                            "--map-user=" + caller.uid(),
                            "--map-group=" + caller.gid()));
        }
        wrapped.addAll(command);
        return wrapped;
    }

    /** Of a session: ten thousand files of 1 GB together, in 16 MiB. */
    @Test
    void manyBigFilesAreCountedInLittleMemory() throws Exception {
        Requirements.program("perl");
        String script =
                "perl -e 'for $d (1 .. 10) { mkdir \"d$d\"; for (1 .. 1000) { open F, \">\", \"d$d/f$_\" or die; truncate F, 100_000 } }'";
        List<String> command = new ArrayList<>(child(script));
        command.add(1, "-Xmx16m");

        assertThat(output(command)).contains("exit 0\nchanges 10010");
    }

    /** Everything at a terminal, in a session and a process group of its own. */
    @Test
    @Tag("TT-04")
    void theCallersTerminalNeverEntersAndSignalsToItsProcessGroupStayInside() throws Exception {
        Requirements.program("script");
        String probe = "if (: <>/dev/tty) 2>/dev/null; then echo succeeded; else echo denied; fi";

        assertThat(onTerminal(child(probe + "; kill -9 0; exit 5")))
                .contains("denied")
                .contains("exit 137");

        // The controls: in the caller's session the terminal is there, and a signal passes all
        // namespaces on its way up.
        assertThat(onTerminal(List.of("sh", "-c", probe))).contains("succeeded");
        assertThat(killsItsGroup(List.of())).isEqualTo(137);
        assertThat(killsItsGroup(List.of("--new-session"))).isEqualTo(5);
    }

    /** How a caller ends whose sandbox kills its process group: 5 if it is still there. */
    private static int killsItsGroup(List<String> options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("setsid", "-w", "sh", "-c", "\"$@\"; exit 5", "sh"));
        command.add(Requirements.bwrap().toString());
        command.addAll(List.of("--dev-bind", "/", "/", "--unshare-user", "--unshare-pid"));
        command.addAll(options);
        command.addAll(List.of("--proc", "/proc", "sh", "-c", "kill -9 0"));
        return new ProcessBuilder(command).start().waitFor();
    }

    private static String onTerminal(List<String> command) throws Exception {
        return output(
                List.of(
                        "script",
                        "-qec",
                        dev.carrel.core.process.Shell.quote(command),
                        "/dev/null"));
    }

    private List<String> child(String script) {
        return ChildJvm.command(
                SessionChild.class, fixture.state.toString(), origin.toString(), script);
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.replace("\r", "");
    }

    private static CommandRequest captured(String script) {
        return CommandRequest.of("sh", "-c", script).with(new CommandRequest.Streams.Captured());
    }
}
