package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.Requirements;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Users in threads and in other JVMs write to one session while its processes, and those JVMs, are
 * killed at random. What a command has acknowledged stays, and the upper layer is never mounted
 * twice. {@code make soak} makes a long storm; {@code -Dcarrel.storm.seconds=600
 * -Dcarrel.storm.seed=7} makes a longer and another one.
 */
class RuntimeStormIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private static final long SEED = Long.getLong("carrel.storm.seed", 20_261);
    private static final int THREADS = 4;
    private static final int JVMS = 2;
    private static final long NANOS = Long.getLong("carrel.storm.seconds", 4) * 1_000_000_000L;
    private static final int LONGEST_PEACE_MILLIS = 300;

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<Process> jvms = new ArrayList<>();
    private volatile boolean over;
    private RuntimeFixture session;

    @BeforeEach
    void start() throws Exception {
        session = RuntimeFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        for (Process jvm : jvms) {
            jvm.destroyForcibly().waitFor();
        }
        session.remove();
    }

    @Test
    @Tag("NS-16")
    void killsAtRandomLoseNothingAndNeverMountALayerTwice() throws Exception {
        MountWatch watch = new MountWatch(session.members());
        List<Thread> users = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String name = "thread" + i;
            users.add(thread(() -> useUntilOver(new TokenWriter(session, name))));
        }
        for (int i = 0; i < JVMS; i++) {
            jvms.add(startJvm(i, 0));
        }
        Thread watching = thread(() -> watch.until(() -> over));
        int kills = killForAWhile();
        over = true;
        for (Thread user : users) {
            user.join();
        }
        for (Process jvm : jvms) {
            jvm.destroyForcibly().waitFor();
        }
        watching.join();

        System.out.printf(
                "%d kills, %d acknowledged writes, %d mounts seen%n",
                kills, acknowledged.size(), watch.mounts());
        assertThat(failures).isEmpty();
        assertThat(watch.twice()).as("mounts of one layer at the same time").isEmpty();
        List<String> kept = session.run("cat tokens").outputText().lines().toList();
        assertThat(kept).doesNotHaveDuplicates().containsAll(acknowledged);
        assertThat(kills).isPositive();
        assertThat(acknowledged).isNotEmpty();
        session.awaitNothingLeft();
        assertThat(session.runtime().runningCommands()).isZero();
    }

    private int killForAWhile() throws Exception {
        Random random = new Random(SEED);
        long deadline = System.nanoTime() + NANOS;
        int kills = 0;
        while (System.nanoTime() < deadline) {
            awaitWrites(random.nextInt(3));
            if (random.nextInt(40) == 0) {
                int which = random.nextInt(JVMS);
                jvms.get(which).destroyForcibly();
                jvms.set(which, startJvm(which, ++kills));
                continue;
            }
            List<Member> members = session.members().all();
            if (random.nextInt(3) == 0) {
                members = members.stream().filter(Member::pause).toList();
            }
            if (!members.isEmpty()) {
                members.get(random.nextInt(members.size())).kill();
                kills++;
            }
        }
        return kills;
    }

    /** As many kills as writes, so that a slow machine gets on, too. */
    private void awaitWrites(int more) throws InterruptedException {
        int before = acknowledged.size();
        for (int waited = 0;
                waited < LONGEST_PEACE_MILLIS && acknowledged.size() < before + more;
                waited += 2) {
            Thread.sleep(2);
        }
    }

    private Process startJvm(int which, int attempt) throws Exception {
        Process jvm = session.otherJvm("loop", "jvm" + which + "." + attempt);
        thread(() -> {
            try (BufferedReader lines = jvm.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    acknowledged.add(line);
                }
            } catch (IOException e) {
                // It was killed in the middle of a line, which then acknowledges nothing.
            }
        });
        return jvm;
    }

    private void useUntilOver(TokenWriter writer) {
        try {
            while (!over) {
                writer.step().ifPresent(acknowledged::add);
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            synchronized (failures) {
                failures.add(e);
            }
        }
    }

    private static Thread thread(Runnable body) {
        return Thread.ofPlatform().daemon().start(body);
    }
}
