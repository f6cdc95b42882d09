package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.bwrap.Switching;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SessionRuntimeIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private RuntimeFixture session;

    @BeforeEach
    void start() throws Exception {
        session = RuntimeFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        session.remove();
    }

    private static String waitFor(String condition) {
        return "i=0; until " + condition + " || [ $i = 400 ]; do i=$((i+1)); sleep 0.1; done; ";
    }

    @Test
    void twoCommandsSeeEachOthersFilesAtOnceInBothDirections() throws Exception {
        RunningCommand one =
                session.start(
                        waitFor("[ -e made ]")
                                + "cat made; mv made renamed; "
                                + waitFor("[ ! -e renamed ]")
                                + "ls");
        ProcessResult two =
                session.run(
                        "echo hello > made.tmp; mv made.tmp made; "
                                + waitFor("[ -e renamed ]")
                                + "cat renamed; rm renamed");
        assertThat(two.errorText()).isEmpty();
        assertThat(two.outputText()).isEqualTo("hello\n");
        assertThat(one.await().outputText()).isEqualTo("hello\n");
    }

    @Test
    void theCommandsOfASessionShareOneLoopback() throws Exception {
        Requirements.program("perl");
        RunningCommand server =
                session.start(
                        "exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 1,"
                                + " LocalAddr => \"127.0.0.1\", LocalPort => 4000) or die $!;"
                                + " open F, \">\", \"listening\"; close F;"
                                + " $c = $s->accept; print $c \"from the server\\n\"'");
        ProcessResult client =
                session.run(
                        waitFor("[ -e listening ]")
                                + "exec perl -MIO::Socket::INET -e '$c = IO::Socket::INET->new("
                                + "PeerAddr => \"127.0.0.1\", PeerPort => 4000) or die $!;"
                                + " print scalar <$c>'");
        assertThat(client.errorText()).isEmpty();
        assertThat(client.outputText()).isEqualTo("from the server\n");
        assertThat(server.await().exit()).isZero();
    }

    @Test
    void twentyCommandsAtOnceLoseNoAppend() throws Exception {
        List<Future<ProcessResult>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                String line = "line " + i;
                results.add(threads.submit(() -> session.run("echo " + line + " >> lines")));
            }
        }
        for (Future<ProcessResult> result : results) {
            assertThat(result.get().exit()).isZero();
        }
        assertThat(session.run("sort -u lines | wc -l; wc -l < lines").outputText())
                .isEqualTo("20\n20\n");
    }

    @Test
    @Tag("SG-12")
    void exitStatusesArriveAsAShellWouldSeeThem() throws Exception {
        assertThat(session.run("exit 0").exit()).isZero();
        assertThat(session.run("exit 1").exit()).isEqualTo(1);
        assertThat(session.run("exit 37").exit()).isEqualTo(37);
        assertThat(session.run("kill -9 $$").exit()).isEqualTo(137);
        SandboxPath here = SandboxPath.of("/workspace/repo");
        assertThat(session.start(session.view, here, List.of("no-such-program")).await().exit())
                .isEqualTo(127);
        session.run("touch plain");
        assertThat(session.start(session.view, here, List.of("./plain")).await().exit())
                .isEqualTo(126);
    }

    @Test
    @Tag("SG-12")
    void aCommandThatCouldNotBeStartedIsAFailureNotAnExitStatus() throws Exception {
        RunningCommand running =
                session.start(session.view, SandboxPath.of("/workspace/none"), List.of("true"));
        assertThatThrownBy(running::await)
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("/workspace/none");
        assertThat(session.run("true").exit()).isZero();
    }

    @Test
    @Tag("SG-07")
    void whatACommandLeftBehindIsGoneWhenItHasEnded() throws Exception {
        session.run(
                "i=0; while [ $i -lt 50 ]; do i=$((i+1)); setsid "
                        + LEFT
                        + " >/dev/null 2>&1 & done; sleep 0.1");
        assertThat(ProcessHandle.allProcesses().filter(SessionRuntimeIT::wasLeft)).isEmpty();
    }

    /** Of this run alone: others may test beside it. */
    private static final String LEFT = "sleep 4711." + ProcessHandle.current().pid();

    private static boolean wasLeft(ProcessHandle process) {
        return process.info().commandLine().orElse("").endsWith(LEFT);
    }

    @Test
    void nothingIsLeftSoonAfterTheLastCommand() throws Exception {
        RunningCommand running = session.startAndAwait("read forever < /dev/zero & sleep 0.1");
        long pause = session.pause().orElseThrow().process().pid();
        assertThat(session.members().all()).isNotEmpty();
        running.await();
        RuntimeFixture.await(
                () -> session.members().of(pause).isEmpty(), "the pause ends after its last user");
        session.awaitNothingLeft();
        assertThat(session.pause()).isEmpty();
        assertThat(session.runtime().runningCommands()).isZero();
        assertThat(session.files().commands()).isEmptyDirectory();
    }

    @Test
    @Tag("SG-07")
    void whatIsLeftInTheNetworkOfASessionEndsWithItsLastUser() throws Exception {
        RunningCommand running = session.startAndAwait("sleep 100");
        long pause = session.pause().orElseThrow().process().pid();
        List<String> argv = new ArrayList<>(Switching.to(session.identity));
        argv.addAll(List.of("nsenter", "--preserve-credentials", "-U", "-n", "-t", "" + pause));
        // As commands are: in a user namespace below, where it has no power over its own.
        argv.addAll(List.of("unshare", "-U", "sh", "-c", "echo in; exec sleep 600"));
        Process left = new ProcessBuilder(argv).redirectErrorStream(true).start();
        try {
            assertThat(left.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("in");
            running.cancel();
            running.await();
            assertThat(left.waitFor(20, TimeUnit.SECONDS)).as("it is ended").isTrue();
            assertThat(left.exitValue()).isEqualTo(137);
        } finally {
            left.destroyForcibly();
        }
    }

    @Test
    void theEndOfOneCommandEndsItsChildrenAndNoOtherCommand() throws Exception {
        RunningCommand other = session.startAndAwait(waitFor("[ -e go ]") + "echo done");
        session.run("(sleep 0.5; touch late) & setsid sh -c 'sleep 0.5; touch later' & exit 0");
        Thread.sleep(1000);
        session.run("touch go");
        assertThat(other.await().outputText()).isEqualTo("done\n");
        assertThat(session.run("ls").outputText()).isEqualTo("go\n");
    }

    @Test
    void moreOutputThanAPipeHoldsArrivesWhole() throws Exception {
        ProcessResult result =
                session.run("head -c 3000000 /dev/zero; head -c 300000 /dev/zero >&2");
        assertThat(result.output()).hasSize(3_000_000);
        assertThat(result.error()).hasSize(300_000);
    }

    @Test
    void anotherJvmJoinsTheSameSession() throws Exception {
        RunningCommand here = session.startAndAwait(waitFor("[ -e there ]") + "cat there");
        Process there = session.otherJvm("run", "echo from there > there.tmp; mv there.tmp there");
        assertThat(there.waitFor()).isZero();
        assertThat(here.await().outputText()).isEqualTo("from there\n");
    }

    @Test
    void hostMountsMadeLaterDoNotAppearInside() throws Exception {
        // Mounting inside of a namespace of one's own would prove nothing: the view is a copy of
        // this one.
        if (!session.identity.switched()) {
            return; // only root can mount on the host; it runs these tests too
        }
        Path top = session.base.resolve("shown");
        Path shown = Files.createDirectories(top.resolve("below"));
        List<Mount> mounts = new ArrayList<>(session.view.mounts());
        mounts.add(new Mount.ReadOnly(top, SandboxPath.of("/shown")));
        RunningCommand running =
                session.start(
                        View.of(mounts),
                        SandboxPath.of("/shown"),
                        List.of(
                                "sh",
                                "-c",
                                "touch /tmp/up; " + waitFor("[ -e /tmp/mounted ]") + "ls below"));
        RuntimeFixture.await(() -> Files.exists(session.layout.tmp().resolve("up")), "it runs");
        ProcessResult mount =
                session.runner.run(Command.of("mount", "-t", "tmpfs", "later", shown.toString()));
        Requirements.that(mount.succeeded(), "needs the right to mount: " + mount.errorText());
        try {
            Files.createFile(shown.resolve("seen"));
            Files.createFile(session.layout.tmp().resolve("mounted"));
            assertThat(running.await().outputText()).isEmpty();
        } finally {
            session.runner.run(Command.of("umount", shown.toString()));
        }
    }

    @Test
    void anotherViewIsRefusedWhileCommandsRunAndStagedAfterwards() throws Exception {
        List<Mount> mounts = new ArrayList<>(session.view.mounts());
        mounts.add(new Mount.EmptyDirectory(SandboxPath.of("/extra"), 0755));
        View other = View.of(mounts);
        SandboxPath root = SandboxPath.of("/");
        RunningCommand running = session.startAndAwait(waitFor("[ -e go ]"));
        assertThatThrownBy(() -> session.start(other, root, List.of("true")))
                .isInstanceOf(ConflictException.class);
        session.run("touch go");
        running.await();
        assertThat(session.start(other, root, List.of("ls", "-d", "extra")).await().exit())
                .isZero();
    }
}
