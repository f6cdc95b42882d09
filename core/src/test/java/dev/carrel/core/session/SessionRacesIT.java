package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two processes at one session, in every pair of verbs: each succeeds or says what was in the way,
 * and afterwards the session is whole or gone.
 */
class SessionRacesIT {

    private SessionFixture fixture;
    private Process other;
    private BufferedReader answers;
    private Path project;
    private int round;

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
        project = fixture.plain("project");
        Files.createDirectory(project.resolve("d"));
        other =
                new ProcessBuilder(
                                ChildJvm.command(
                                        RaceMain.class,
                                        fixture.base.toString(),
                                        Requirements.bwrap().toString()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        answers = other.inputReader(UTF_8);
        assertThat(answers.readLine()).isEqualTo("ready");
    }

    @AfterEach
    void remove() throws Exception {
        other.destroyForcibly().waitFor();
        fixture.remove();
    }

    @Test
    void everyPairOfVerbsLeavesTheSessionWholeOrGone() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(project));
        List<String> told = new ArrayList<>();
        for (RaceVerb here : RaceVerb.values()) {
            for (RaceVerb there : EnumSet.range(here, RaceVerb.REMOVE_FORCE)) {
                if (gone(session)) {
                    session = fixture.sessions.create(SessionRequest.of(project));
                }
                String token = fixture.record(session).token();
                boolean looking = here.looks() && there.looks();
                if (!looking) {
                    change(session);
                }
                String pair = here + " and " + there;
                List<String> outcome = race(session, here, there);
                told.add(pair + ": " + outcome);
                assertThat(outcome).as(pair).noneMatch(line -> line.startsWith("defect"));
                assertExcused(pair, outcome, here, there);
                if (!looking) {
                    assertWholeOrGone(pair, session, token);
                }
            }
        }
        assertThat(told).hasSize(78);
    }

    /** The same two contents in a directory, so that half of it can be told from all of it. */
    private void change(Session session) throws Exception {
        round++;
        fixture.run(session, "mkdir -p d; echo " + round + " | tee d/a d/b > /dev/null");
    }

    private List<String> race(Session session, RaceVerb here, RaceVerb there) throws IOException {
        OutputStream questions = other.getOutputStream();
        questions.write((there + " " + session.id() + "\n").getBytes(UTF_8));
        questions.flush();
        String mine = here.attempt(fixture.sessions, session.id().value());
        return List.of(mine, answers.readLine());
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

    private void assertWholeOrGone(String pair, Session session, String token) throws Exception {
        assertThat(read("d/a")).as(pair).isEqualTo(read("d/b"));
        if (gone(session)) {
            assertThat(fixture.sessionFiles()).as(pair).isEmpty();
            assertThat(processesOf(token)).as(pair).isEmpty();
        } else {
            assertThat(fixture.sessionFiles()).as(pair).containsExactly(session.id().value());
            assertThat(fixture.run(session, "echo alive")).as(pair).isEqualTo("alive\n");
        }
    }

    private boolean gone(Session session) {
        return !fixture.tools().layout().session(session.id().value()).exists();
    }

    private String read(String name) throws IOException {
        Path file = project.resolve(name);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    static List<String> processesOf(String token) throws Exception {
        List<String> found = new ArrayList<>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    if (Files.readString(process.resolve("mountinfo")).contains(token)) {
                        found.add(Files.readString(process.resolve("cmdline")));
                    }
                } catch (IOException e) {
                    // It ended.
                }
            }
        }
        return found;
    }
}
