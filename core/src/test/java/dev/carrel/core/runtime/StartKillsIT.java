package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.store.Locks;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.DoomedJvm;
import dev.carrel.core.testing.Requirements;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that is killed after any step of the start of a session, or in the middle of one,
 * leaves nothing, and the next one starts the session with all its files.
 */
class StartKillsIT {

    /** How often within some step; {@code make soak} makes many. */
    private static final int MIDDLES = Integer.getInteger("carrel.middles", 1);

    private static final int LONGEST_MICROSECONDS = 30_000;
    private static final Duration SOON = Duration.ofSeconds(10);

    private final DoomedJvm doomed = new DoomedJvm(Child.class);
    private final List<RuntimeFixture> sessions = new ArrayList<>();

    /** The child: joins as a command does, but stops in the middle. */
    static final class Child {

        private Child() {}

        public static void main(String[] arguments) throws Exception {
            DoomedJvm.work(Child::start);
        }

        /** Asked for the directory, a number of steps, and whether it stays there. */
        private static void start(List<String> words) throws Exception {
            RuntimeFixture session = RuntimeFixture.open(Path.of(words.get(0)));
            int count = Integer.parseInt(words.get(1));
            SessionRuntime runtime = session.runtime();
            runtime.register();
            try (FileChannel _ = Joined.openFifo(session.files().fifo());
                    Locks.Held _ = Locks.acquire(session.files().lock(), "start", SOON)) {
                List<Step> steps = runtime.startSteps(session.view);
                run(steps.subList(0, count));
                DoomedJvm.reached(Boolean.parseBoolean(words.get(2)));
                run(steps.subList(count, steps.size()));
                DoomedJvm.reached(true);
            }
        }

        private static void run(List<Step> steps) throws InterruptedException {
            for (Step step : steps) {
                step.run();
            }
        }
    }

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    @AfterEach
    void end() throws Exception {
        for (RuntimeFixture session : sessions) {
            session.remove();
        }
    }

    private RuntimeFixture session() throws Exception {
        RuntimeFixture session = RuntimeFixture.create();
        sessions.add(session);
        return session;
    }

    private static List<String> words(RuntimeFixture session, int steps, boolean stay) {
        return List.of(session.base.toString(), Integer.toString(steps), Boolean.toString(stay));
    }

    @Test
    void theFirstStartKilledAfterAnyStepIsRepaired() throws Exception {
        RuntimeFixture first = session();
        int count = first.runtime().startSteps(first.view).size();
        List<List<String>> works = new ArrayList<>(List.of(words(first, 0, true)));
        for (int steps = 1; steps <= count; steps++) {
            works.add(words(session(), steps, true));
        }
        doomed.kill(works);
        for (int steps = 0; steps <= count; steps++) {
            requireWhole(sessions.get(steps), "killed after step " + steps);
        }
    }

    @Test
    @Tag("SG-09")
    void laterStartsKilledAtAnyMomentAreRepaired() throws Exception {
        Random random = new Random(20_263);
        RuntimeFixture session = session();
        int count = session.runtime().startSteps(session.view).size();
        session.run("echo kept > kept");
        for (int i = 0; i < MIDDLES; i++) {
            int steps = random.nextInt(count);
            int delay = random.nextInt(LONGEST_MICROSECONDS);
            doomed.killAfter(delay, List.of(words(session, steps, false)));
            requireWhole(session, "killed " + delay + " microseconds after step " + steps);
            assertThat(session.layout.upper("repo", 1).resolve("kept")).hasContent("kept");
        }
    }

    /** Whoever comes next finds a session like any other; afterwards nothing is left. */
    private static void requireWhole(RuntimeFixture session, String when) throws Exception {
        assertThat(session.runtime().runningCommands()).as(when).isZero();
        assertThat(session.run("echo " + when + " >> said; tail -n 1 said").outputText())
                .as(when)
                .isEqualTo(when + "\n");
        session.awaitNothingLeft();
        if (session.files().commands().toFile().list().length > 0) {
            // Who joined a pause that was still there left the dead one's directory to the next
            // start.
            assertThat(session.run("true").exit()).as(when).isZero();
        }
        assertThat(session.files().commands()).as(when).isEmptyDirectory();
        try (Locks.Held held = Locks.tryAcquire(session.files().lock(), "test").orElseThrow()) {
            assertThat(held.file()).as(when).isEqualTo(session.files().lock());
        }
    }
}
