package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.apply.LaterRun;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.testing.Requirements;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Taking the changes of a real session into a git checkout that its user goes on working in. */
class SessionApplyIT {

    private static final String LINES = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

    private SessionFixture fixture;
    private Path project;
    private Session session;

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    @BeforeEach
    void make() throws Exception {
        fixture = SessionFixture.create();
        project = fixture.git("project");
        Files.writeString(project.resolve("a.txt"), LINES);
        session = fixture.sessions.create(SessionRequest.of(project));
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    private String host(String name) throws Exception {
        return Files.readString(project.resolve(name));
    }

    @Test
    void mergesWhatItsUserChangedMeanwhileAndTakesItBack() throws Exception {
        String mine = LINES.replace("9", "host");
        Files.writeString(project.resolve("a.txt"), mine);
        fixture.run(session, "sed -i s/1/session/ a.txt; echo all: >Makefile");
        List<ApplyPlan> announced = new ArrayList<>();

        session.apply(
                ApplyChoice.EVERYTHING,
                plan -> {
                    announced.add(plan);
                    assertThat(project.resolve("a.txt")).hasContent(mine);
                });

        assertThat(host("a.txt")).isEqualTo(mine.replace("1", "session"));
        assertThat(announced.getFirst().laterRuns())
                .extracting(LaterRun::category)
                .containsExactly(LaterRun.Category.BUILD);
        session.undo(false, _ -> {});
        assertThat(host("a.txt")).isEqualTo(mine);
        assertThat(project.resolve("Makefile")).doesNotExist();
        session.apply(List.of(), false);
        assertThat(host("a.txt")).isEqualTo(mine.replace("1", "session"));
    }

    @Test
    void aConflictKeepsAllVersionsAndOverwritesNothing() throws Exception {
        Files.writeString(project.resolve("a.txt"), "host\n");
        fixture.run(session, "echo session >a.txt; echo new >b.txt");
        List<ApplyPlan> announced = new ArrayList<>();

        assertThatThrownBy(() -> session.apply(ApplyChoice.EVERYTHING, announced::add))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("a.txt");

        assertThat(host("a.txt")).isEqualTo("host\n");
        assertThat(project.resolve("b.txt")).doesNotExist();
        Path versions = announced.getFirst().conflictFiles().orElseThrow();
        assertThat(versions.resolve("base/project/a.txt")).hasContent(LINES);
        assertThat(versions.resolve("host/project/a.txt")).hasContent("host\n");
        assertThat(versions.resolve("session/project/a.txt")).hasContent("session\n");
        session.apply(new ApplyChoice(List.of(), false, true), _ -> {});
        assertThat(host("a.txt")).isEqualTo("host\n");
        assertThat(host("b.txt")).isEqualTo("new\n");
    }

    @Test
    void itsPatchIsOneThatGitTakes() throws Exception {
        fixture.run(
                session, "mv a.txt moved; head -c 999 /dev/urandom >bin; chmod +x bin; : >none");
        Path patch = fixture.base.resolve("patch");
        try (OutputStream to = Files.newOutputStream(patch)) {
            assertThat(session.writePatch(List.of(), false, to)).isEmpty();
        }
        assertThat(host("a.txt")).isEqualTo(LINES);

        fixture.shell("git -C " + project + " apply " + patch);

        assertThat(host("moved")).isEqualTo(LINES);
        assertThat(project.resolve("a.txt")).doesNotExist();
        assertThat(project.resolve("bin")).isExecutable();
        assertThat(project.resolve("none")).isEmptyFile();
        assertThat(session.planApply(List.of(), false).steps()).isEmpty();
    }
}
