package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.ProcessResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionRuntimeIT {

    private RuntimeFixture session;

    @BeforeEach
    void start() throws Exception {
        session = RuntimeFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        session.remove();
    }

    @Test
    void twoCommandsShareFilesAndTheSecondJoinsTheFirst() throws Exception {
        RunningCommand reader =
                session.start(
                        "while [ ! -e /workspace/repo/made ]; do sleep 0.02; done; cat /workspace/repo/made");
        ProcessResult writer =
                session.run(
                        "echo hello > /workspace/repo/made.tmp; mv /workspace/repo/made.tmp /workspace/repo/made");
        assertThat(writer.errorText()).isEmpty();
        assertThat(writer.exit()).isZero();
        assertThat(reader.await().outputText()).isEqualTo("hello\n");
    }
}
