package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.SeenProcesses;
import dev.carrel.core.tree.Trees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two processes at one session, in every pair of verbs: each succeeds or says what was in the way,
 * and afterwards the session is whole or gone.
 */
class SessionRacesIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private static final RandomGenerator RANDOM = new Random(20);
    private static final int MOST_DELAY_MILLIS = 40;

    private SessionFixture fixture;
    private Path project;
    private int round;
    private @Nullable Session last;
    private boolean changed;

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
        project = fixture.plain("project");
        Files.createDirectory(project.resolve("d"));
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    @Test
    void everyPairOfVerbsLeavesTheSessionWholeOrGone() throws Exception {
        Process other =
                new ProcessBuilder(
                                ChildJvm.command(
                                        RaceMain.class,
                                        fixture.base.toString(),
                                        Requirements.bwrap().toString()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            BufferedReader answers = other.inputReader(UTF_8);
            assertThat(answers.readLine()).isEqualTo("ready");
            inPairs(
                    List.of(RaceVerb.values()),
                    (verb, id) -> inAnotherProcess(other.getOutputStream(), answers, verb, id));
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    @Test
    void everyPairOfWritersInOneProcessLeavesTheSessionWholeOrGone() throws Exception {
        try (Sessions second = Sessions.open(fixture.settings, _ -> {})) {
            List<RaceVerb> writers =
                    Stream.of(RaceVerb.values()).filter(verb -> !verb.looks()).toList();
            inPairs(
                    writers,
                    (verb, id) -> CompletableFuture.supplyAsync(() -> verb.attempt(second, id)));
        }
    }

    /** Either of a pair may be the one that begins. */
    private void inPairs(List<RaceVerb> verbs, Opponent opponent) throws Exception {
        for (int i = 0; i < verbs.size(); i++) {
            for (RaceVerb one : verbs.subList(i, verbs.size())) {
                if (RANDOM.nextBoolean()) {
                    tryPair(verbs.get(i), one, opponent);
                } else {
                    tryPair(one, verbs.get(i), opponent);
                }
            }
        }
    }

    /** Begins a verb elsewhere. */
    private interface Opponent {
        CompletableFuture<String> begin(RaceVerb verb, String id) throws IOException;
    }

    private static CompletableFuture<String> inAnotherProcess(
            OutputStream questions, BufferedReader answers, RaceVerb verb, String id)
            throws IOException {
        questions.write((verb + " " + id + "\n").getBytes(UTF_8));
        questions.flush();
        return CompletableFuture.supplyAsync(() -> {
            try {
                return answers.readLine();
            } catch (IOException e) {
                return "defect " + e;
            }
        });
    }

    private void tryPair(RaceVerb here, RaceVerb there, Opponent opponent) throws Exception {
        Session session = whole();
        String token = fixture.record(session).token();
        boolean looking = here.looks() && there.looks();
        if (!looking && !changed) {
            changeStopped(session);
        }
        int delay = RANDOM.nextInt(MOST_DELAY_MILLIS);
        String pair = here + ", " + delay + " ms after " + there;
        String id = session.id().value();
        CompletableFuture<String> theirs = opponent.begin(there, id);
        Thread.sleep(delay);
        List<String> outcome = List.of(here.attempt(fixture.sessions, id), theirs.get());
        assertThat(outcome).as(pair).noneMatch(line -> line.startsWith("defect"));
        assertExcused(pair, outcome, here, there);
        if (!looking) {
            assertWholeOrGone(pair, session, token, here.runs() || there.runs());
        }
    }

    private Session whole() throws Exception {
        Session used = last;
        if (used == null || gone(used)) {
            changed = false;
            used = fixture.sessions.create(SessionRequest.of(project));
            last = used;
        }
        return used;
    }

    /** The same two contents in a directory, so that half of it can be told from all of it. */
    private String change(Session session) throws Exception {
        round++;
        changed = true;
        return fixture.run(
                session,
                "echo alive; [ -d d ] || mkdir d; echo "
                        + round
                        + " > d/a; echo "
                        + round
                        + " > d/b");
    }

    /** The same from outside, where nothing is mounted. */
    private void changeStopped(Session session) throws Exception {
        round++;
        changed = true;
        SessionRecord record = fixture.record(session);
        while (!SeenProcesses.with(record.token()).isEmpty()) {
            Thread.sleep(10);
        }
        Path upper = record.repos().getFirst().upper(fixture.layout(session));
        Path directory = Files.createDirectories(upper.resolve("d"));
        Files.writeString(directory.resolve("a"), round + "\n");
        Files.writeString(directory.resolve("b"), round + "\n");
        Trees.chownTree(directory, record.identity().uid(), record.identity().gid());
    }

    /** Only what the other verb explains may be refused, and in words that name it. */
    private static void assertExcused(
            String pair, List<String> outcome, RaceVerb here, RaceVerb there) {
        boolean removal = here.removes() || there.removes();
        if (here != RaceVerb.REMOVE_FORCE && there != RaceVerb.REMOVE_FORCE) {
            assertThat(outcome).as(pair).doesNotContain("killed");
        }
        for (String line : outcome) {
            if (line.startsWith("refused") && removal) {
                assertThat(line).as(pair).containsPattern("not-found|conflict");
            } else if (line.startsWith("refused")) {
                assertThat(line).as(pair).contains("conflict");
            }
        }
        if (!removal || here == there) {
            assertThat(outcome).as(pair).anyMatch("done"::equals);
        }
    }

    private void assertWholeOrGone(String pair, Session session, String token, boolean ran)
            throws Exception {
        assertThat(read("d/a")).as(pair).isEqualTo(read("d/b"));
        if (gone(session)) {
            assertThat(fixture.sessionFiles()).as(pair).isEmpty();
            assertThat(SeenProcesses.with(token)).as(pair).isEmpty();
        } else {
            assertThat(fixture.sessionFiles()).as(pair).containsExactly(session.id().value());
            // What the next pair begins with.
            if (ran) {
                assertThat(change(session)).as(pair).isEqualTo("alive\n");
            } else {
                session.changes(List.of(), false);
                changeStopped(session);
            }
        }
    }

    private boolean gone(Session session) {
        return !fixture.tools().layout().session(session.id().value()).exists();
    }

    private String read(String name) throws IOException {
        Path file = project.resolve(name);
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
