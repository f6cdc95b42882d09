package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.testing.Requirements;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private SessionFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    @Test
    void runsOnAPlainDirectoryAndLeavesItAlone() throws Exception {
        Path project = fixture.plain("project");
        Files.writeString(project.resolve("a.txt"), "one\n");

        Session session = fixture.sessions.create(SessionRequest.of(project));
        CommandResult result =
                session.run(
                        CommandRequest.of("sh", "-c", "cat a.txt; echo two > a.txt; pwd")
                                .with(new CommandRequest.Streams.Captured()));

        assertThat(result.errorText()).isEmpty();
        assertThat(result.outputText()).isEqualTo("one\n/workspace/project\n");
        assertThat(result.exit()).isZero();
        assertThat(project.resolve("a.txt")).hasContent("one\n");
        assertThat(session.changes(List.of(), false).getFirst().changeSet().listed()).hasSize(1);
        assertThat(fixture.sessions.list()).hasSize(1);
    }

    @Test
    void gitWorksInsideAndTheDiffShowsWhatChanged() throws Exception {
        Path project = fixture.git("project");

        Session session = fixture.sessions.create(SessionRequest.of(project));
        CommandResult result =
                session.run(
                        CommandRequest.of(
                                        "sh",
                                        "-c",
                                        "git status --porcelain; echo two >> a.txt; git commit -qam change; git log --oneline | wc -l")
                                .with(new CommandRequest.Streams.Captured()));

        assertThat(result.errorText()).isEmpty();
        assertThat(result.outputText().strip()).isEqualTo("2");
        ByteArrayOutputStream diff = new ByteArrayOutputStream();
        session.printDiff(List.of(), false, DiffFormat.PATCH, false, diff);
        assertThat(diff.toString(StandardCharsets.UTF_8)).contains("+two");
    }
}
