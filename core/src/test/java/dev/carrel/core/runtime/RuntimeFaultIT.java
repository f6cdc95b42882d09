package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes of a session are killed; what is promised holds all the same. */
class RuntimeFaultIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private static final String UNTIL_GO = "until [ -e go ]; do sleep 0.2; done; cat said";

    /** How many starts are cancelled; {@code make soak} cancels many. */
    private static final int CANCELS = Integer.getInteger("carrel.cancels", 60);

    /** Of this run alone: others may test beside it. */
    private static final String LONG_SLEEP = "sleep 86397." + ProcessHandle.current().pid();

    private RuntimeFixture session;

    @BeforeEach
    void start() throws Exception {
        session = RuntimeFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        session.remove();
    }

    private MountProbe probe() {
        return new MountProbe(session.runner, session.bwrap, session.identity, session.files());
    }

    private Path work() {
        return session.view.works().getFirst();
    }

    private void killPause() throws InterruptedException {
        PauseRecord pause = session.pause().orElseThrow();
        RuntimeFixture.kill(pause.process().pid());
        RuntimeFixture.await(() -> !pause.isAlive(), "the pause is dead");
    }

    @Test
    @Tag("NS-16")
    void theProbeSaysBusyExactlyWhileSomethingHoldsTheMount() throws Exception {
        RunningCommand running = session.startAndAwait("sleep 100");
        assertThat(probe().isFree(work())).isFalse();
        killPause();
        assertThat(probe().isFree(work())).as("held by a command without a pause").isFalse();
        running.cancel();
        assertThat(running.await().exit()).isEqualTo(137);
        session.awaitNothingLeft();
        RuntimeFixture.await(() -> isFree(), "the kernel gives the mount up");
    }

    private boolean isFree() {
        try {
            return probe().isFree(work());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void afterTheKillOfThePauseTheNextCommandAdoptsTheSession() throws Exception {
        RunningCommand first = session.startAndAwait(UNTIL_GO);
        PauseRecord killed = session.pause().orElseThrow();
        killPause();
        assertThat(session.run("echo adopted > said; touch go").exit()).isZero();
        assertThat(first.await().outputText()).isEqualTo("adopted\n");
        PauseRecord last = PauseRecord.read(session.files().lastPause()).orElseThrow();
        assertThat(last.namespaces()).isEqualTo(killed.namespaces());
        assertThat(last.process()).isNotEqualTo(killed.process());
        session.awaitNothingLeft();
    }

    @Test
    void anAdoptedSessionCanBeAdoptedAgain() throws Exception {
        RunningCommand first = session.startAndAwait(UNTIL_GO);
        for (int i = 0; i < 3; i++) {
            killPause();
            assertThat(session.run("echo " + i + " >> said").exit()).isZero();
        }
        session.run("touch go");
        assertThat(first.await().outputText()).isEqualTo("0\n1\n2\n");
        session.awaitNothingLeft();
    }

    @Test
    void afterTheKillOfPauseAndMonitorsTheSessionStartsAgainWithAllFiles() throws Exception {
        RunningCommand first = session.startAndAwait("echo kept > said; sleep 100");
        RuntimeFixture.await(
                () -> Files.exists(session.layout.upper("repo", 1).resolve("said")), "written");
        killPause();
        RuntimeFixture.kill(first.process().pid());
        assertThat(session.run("cat said").outputText()).isEqualTo("kept\n");
        assertThat(first.await().exit()).isEqualTo(137);
        session.awaitNothingLeft();
    }

    @Test
    @Tag("SG-06")
    @Tag("SG-09")
    void nothingOfAKilledJvmIsLeftAfterFiveSeconds() throws Exception {
        Process jvm = session.otherJvm("run", "touch /tmp/runs; sleep 100 & sleep 100");
        RuntimeFixture.await(() -> Files.exists(session.layout.tmp().resolve("runs")), "it runs");
        jvm.destroyForcibly().waitFor();
        long killed = System.nanoTime();
        session.awaitNothingLeft();
        assertThat((System.nanoTime() - killed) / 1e9).isLessThan(5);
        assertThat(session.run("true").exit()).isZero();
        assertThat(session.runtime().runningCommands()).isZero();
    }

    @Test
    @Tag("SG-09")
    void cancelsAtAnyMomentOfAStartLeaveNothing() throws Exception {
        Random random = new Random(7);
        RunningCommand other = session.startAndAwait(UNTIL_GO);
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < CANCELS; i++) {
            cancelAfter(random.nextInt(10_000), ended);
        }
        assertThat(session.runtime().runningCommands()).isOne();
        assertThat(sleeping()).isZero();
        RunningCommand control = session.startAndAwait("exec " + LONG_SLEEP);
        assertThat(sleeping()).as("they would have been seen").isPositive();
        control.cancel();
        control.await();
        assertThat(session.run("echo fine > said; touch go").exit()).isZero();
        assertThat(other.await().outputText()).isEqualTo("fine\n");
        assertThat(ended).hasValue(CANCELS);
        session.awaitNothingLeft();
    }

    @Test
    void cancelsAtAnyMomentOfTheStartOfASessionLeaveNothing() throws Exception {
        Random random = new Random(8);
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < CANCELS / 4; i++) {
            cancelAfter(random.nextInt(40_000), ended);
        }
        assertThat(ended).hasValue(CANCELS / 4);
        assertThat(session.run("true").exit()).isZero();
        session.awaitNothingLeft();
    }

    private static long sleeping() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").endsWith(LONG_SLEEP))
                .count();
    }

    private void cancelAfter(long microseconds, AtomicInteger ended) throws Exception {
        CountDownLatch going = new CountDownLatch(1);
        AtomicReference<Throwable> unexpected = new AtomicReference<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            going.countDown();
                            try {
                                session.run("exec " + LONG_SLEEP);
                            } catch (InterruptedException e) {
                                ended.incrementAndGet();
                            } catch (RuntimeException | Error e) {
                                unexpected.set(e);
                            }
                        });
        going.await();
        LockSupport.parkNanos(1000L * microseconds);
        thread.interrupt();
        thread.join();
        if (unexpected.get() != null) {
            throw new AssertionError("after " + microseconds + " µs", unexpected.get());
        }
    }

    @Test
    @Tag("SG-10")
    void aRecordWhoseNumberBelongsToAnotherProcessIsNotJoined() throws Exception {
        ProcessIdentity self = ProcessIdentity.current();
        PauseRecord stale =
                new PauseRecord(
                        new ProcessIdentity(self.pid(), self.startTime() - 1),
                        Namespaces.of(self.pid()).orElseThrow(),
                        true,
                        View.fingerprint(session.view.options(session.bwrap, session.token)));
        Files.write(
                session.files().pauseRecord(),
                stale.json().toString().getBytes(StandardCharsets.UTF_8));
        assertThat(session.run("echo ok").outputText()).isEqualTo("ok\n");
    }

    @Test
    void aPauseThatIsEndingIsWaitedFor() throws Exception {
        for (int i = 0; i < 8; i++) {
            assertThat(session.run("echo " + i + " >> lines; wc -l < lines").outputText().strip())
                    .isEqualTo(Integer.toString(i + 1));
            // Around the moment in which the pause notices that nobody is left.
            Thread.sleep(6L * i);
        }
    }

    @Test
    void aRecordOfAnEndingPauseThatDiedIsNoObstacle() throws Exception {
        RunningCommand running = session.startAndAwait("sleep 100");
        Files.move(session.files().pauseRecord(), session.files().endingRecord());
        long pause = PauseRecord.read(session.files().endingRecord()).orElseThrow().process().pid();
        RuntimeFixture.kill(pause);
        assertThat(session.run("true").exit()).isZero();
        running.cancel();
        running.await();
    }

    @Test
    void aStoppedSessionIsWrittenByTheHostOnlyWhileNothingRuns() throws Exception {
        RunningCommand running = session.startAndAwait("sleep 100");
        assertThatThrownBy(() -> stopped(() -> {})).isInstanceOf(ConflictException.class);
        killPause();
        assertThatThrownBy(() -> stopped(() -> {}))
                .as("without a pause, too")
                .isInstanceOf(ConflictException.class);
        running.cancel();
        running.await();
        AtomicReference<ProcessResult> waited = new AtomicReference<>();
        AtomicReference<Thread> waiting = new AtomicReference<>();
        stopped(() -> {
            waiting.set(Thread.startVirtualThread(() -> waited.set(runQuietly("cat said"))));
            Thread.sleep(200);
            assertThat(waited).hasNullValue();
            assertThat(session.members().all()).isEmpty();
            write(session.layout.upper("repo", 1).resolve("said"), "by the host\n");
        });
        waiting.get().join();
        assertThat(waited.get().outputText()).isEqualTo("by the host\n");
    }

    private void stopped(SessionRuntime.Action action) throws InterruptedException {
        session.runtime().whileStopped(List.of(work()), "test", action);
    }

    private ProcessResult runQuietly(String script) {
        try {
            return session.run(script);
        } catch (InterruptedException | CarrelException e) {
            throw new AssertionError(e);
        }
    }

    private void write(Path file, String text) {
        try {
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void endingAllEndsCommandsOfEveryProcess() throws Exception {
        Process jvm = session.otherJvm("run", "touch /tmp/runs; sleep 100");
        RunningCommand here = session.startAndAwait("sleep 100");
        RuntimeFixture.await(() -> Files.exists(session.layout.tmp().resolve("runs")), "it runs");
        session.runtime().endAll(session.view.works());
        assertThat(session.members().all()).isEmpty();
        assertThat(here.await().exit()).isEqualTo(137);
        assertThat(jvm.waitFor()).isEqualTo(137);
        assertThat(session.run("true").exit()).isZero();
    }
}
