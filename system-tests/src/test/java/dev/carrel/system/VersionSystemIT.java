package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The distribution as such; no sandbox is needed. */
@Timeout(120)
class VersionSystemIT {

    @Test
    void theBuiltProgramSaysItsVersion() throws Exception {
        Process carrel =
                new ProcessBuilder(Installation.program(), "--version")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(carrel.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(carrel.waitFor()).as(said).isZero();
        assertThat(said).matches("carrel \\d+\\.\\d+\\.\\d+.*\n");
    }
}
