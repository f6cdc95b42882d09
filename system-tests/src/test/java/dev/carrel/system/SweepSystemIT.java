package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sweep that nobody asks for. */
@Timeout(300)
class SweepSystemIT {

    private Installation installation;

    @BeforeEach
    void open() throws Exception {
        installation = Installation.open();
    }

    @AfterEach
    void close() throws Exception {
        if (installation != null) {
            installation.close();
        }
    }

    private void age(String file, Duration age) throws Exception {
        Files.setLastModifiedTime(
                installation.file("workspaces").resolve(file),
                FileTime.from(Instant.now().minus(age)));
    }

    @Test
    void followsACommandWhenItIsOverdue() throws Exception {
        String forgotten = installation.carrel("session", "new").out().strip();
        String used = installation.carrel("session", "new").out().strip();
        age("sessions/" + forgotten + "/last-used", Duration.ofDays(31));
        Path last = installation.file("workspaces").resolve("last-sweep");
        assertThat(last).exists();
        installation.carrel("exec", used, "--", "true");
        assertThat(installation.sessions()).contains(forgotten, used);

        age("last-sweep", Duration.ofMinutes(61));
        assertThat(installation.carrel("exec", used, "--", "echo", "done").out())
                .isEqualTo("done\n");
        while (Files.exists(installation.file("workspaces/sessions").resolve(forgotten))) {
            Thread.sleep(100);
        }
        assertThat(installation.sessions()).containsExactly(used);
        assertThat(Files.getLastModifiedTime(last).toInstant())
                .isAfter(Instant.now().minus(Duration.ofMinutes(5)));
    }
}
