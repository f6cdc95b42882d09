package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.system.Installation.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Settings in files, with all that the distribution brings to read them. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConfigSystemIT {

    private Installation installation;

    @BeforeAll
    void open() throws Exception {
        installation = Installation.open();
    }

    @AfterAll
    void close() throws Exception {
        if (installation != null) {
            installation.close();
        }
    }

    @Test
    void holdInASessionAndNothingElseIsSaid() throws Exception {
        Path file =
                Files.writeString(
                        installation.file("mine.yaml"),
                        "sandbox: {hostname: desk, mask: [secret]}\nsnapshots: {uncommitted: include}\n");
        Files.writeString(installation.repository().resolve("secret"), "x");

        for (int reading = 0; reading < 2; reading++) {
            Answer answer =
                    installation.carrel(
                            "--config",
                            file.toString(),
                            "run",
                            "--rm",
                            "--",
                            "sh",
                            "-c",
                            "uname -n; cat secret 2>/dev/null || echo hidden");
            assertThat(answer).isEqualTo(new Answer(0, "desk\nhidden\n", ""));
        }
        Files.delete(installation.repository().resolve("secret"));
    }

    @Test
    void ofARepositoryMayNotWiden() throws Exception {
        Path own = installation.repository().resolve("carrel.yaml");
        Files.writeString(own, "sandbox:\n  seccomp: off\n  secomp: off\n");

        Answer answer = installation.carrel("run", "--rm", "--", "true");
        assertThat(answer.exit()).isZero();
        assertThat(answer.err().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("carrel: " + own + ":"));
        Answer check = installation.carrel("config", "check");
        assertThat(check.exit()).isEqualTo(1);
        assertThat(check.out().lines()).hasSize(2).allMatch(line -> line.contains(": error: "));
        assertThat(check.err()).isEmpty();
        Files.delete(own);
    }

    @Test
    void areConvertedFromOthers() throws Exception {
        Path codex =
                Files.writeString(
                        installation.file("config.toml"), "sandbox_mode = \"workspace-write\"\n");
        Answer answer = installation.carrel("config", "import", "codex", codex.toString());

        assertThat(answer).isEqualTo(new Answer(0, "# Converted from config.toml.\n", ""));
    }
}
