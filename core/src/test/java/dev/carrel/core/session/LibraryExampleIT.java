package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The example of the user guide, run as the guide says. */
class LibraryExampleIT {

    private static final Path EXAMPLE = Path.of("../docs/examples/AgentTools.java");

    private SessionFixture fixture;

    @BeforeEach
    void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    @Test
    void theExampleEditsRunsAndTakes() throws Exception {
        Path repository = fixture.git("app");
        Path output = fixture.base.resolve("output");
        ProcessBuilder java = new ProcessBuilder(ChildJvm.command(EXAMPLE, repository.toString()));
        java.environment().put("CARREL_WORKSPACES", fixture.state.toString());
        java.environment().put("CARREL_BWRAP", fixture.settings.environment().get("CARREL_BWRAP"));
        java.redirectOutput(output.toFile());
        java.redirectError(fixture.base.resolve("events").toFile());
        int exit = java.start().waitFor();

        assertThat(exit).as(Files.readString(fixture.base.resolve("events"))).isZero();
        assertThat(Files.readString(output, UTF_8))
                .isEqualTo(
                        """
                        /workspace/app/src/greeting.txt:1: hello carrel
                        hello carrel
                        on the host it would be %s/src/greeting.txt
                        exit 0, exited: 13
                        would write app/src
                        would write app/src/greeting.txt
                        """
                                .formatted(repository));
        assertThat(repository.resolve("src/greeting.txt")).hasContent("hello carrel\n");
        assertThat(Files.readString(fixture.base.resolve("events")))
                .contains("CommandEnded[session=")
                .doesNotContain("warning");
        assertThat(fixture.sessions.list()).isEmpty();
    }
}
