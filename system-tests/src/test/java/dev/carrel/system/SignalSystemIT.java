package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Signals to carrel itself, without a terminal. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SignalSystemIT {

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

    private Process start(String script) throws Exception {
        Path out = installation.file("started");
        Process process =
                installation
                        .prepared(Installation.program(), "run", "--", "sh", "-c", script)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(installation.file("messages").toFile())
                        .start();
        while (process.isAlive() && !Files.readString(out).contains("ready")) {
            Thread.sleep(50);
        }
        assertThat(process.isAlive()).isTrue();
        return process;
    }

    private int signal(Process process, String name) throws Exception {
        installation.signal(name, process.pid());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void endTheCommandAndRemoveASessionWithoutChanges() throws Exception {
        List<String> before = installation.sessions();
        Process run = start("echo ready; sleep 300");

        assertThat(signal(run, "TERM")).isEqualTo(143);
        assertThat(installation.sessions()).isEqualTo(before);
    }

    @Test
    void endTheCommandAndKeepASessionWithChanges() throws Exception {
        List<String> before = installation.sessions();
        Process run = start("touch made; echo ready; sleep 300");

        assertThat(signal(run, "INT")).isEqualTo(130);
        List<String> kept = new ArrayList<>(installation.sessions());
        kept.removeAll(before);
        assertThat(kept).hasSize(1);
        assertThat(installation.carrel("diff", kept.getFirst(), "--name-status").out())
                .contains("made");
        assertThat(installation.carrel("session", "list").out()).contains("stopped");
    }

    @Test
    void passTheCommandsOwnSignalOn() throws Exception {
        assertThat(installation.carrel("run", "--", "sh", "-c", "kill -9 $$").exit())
                .isEqualTo(137);
    }
}
