package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What people see of limits. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitsSystemIT {

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
    void aCommandOutOfTimeAnswers124AndNamesTheSetting() throws Exception {
        Installation.Answer late =
                installation.carrel("run", "--json", "--timeout", "500ms", "--", "sleep", "60");
        assertThat(late.exit()).isEqualTo(124);
        assertThat(late.err())
                .contains(
                        "carrel: the command was ended after 500ms; to give it longer: --timeout");
        assertThat(late.out())
                .contains("\"ending\":{\"how\":\"timed-out\",\"limitMillis\":500}")
                .contains("\"limitsHeldBy\":\"");
        assertThat(installation.carrel("run", "--timeout", "60s", "--", "true").exit()).isZero();
    }

    @Test
    void memoryIsTakenBackWithAReason() throws Exception {
        Installation.Answer killed =
                installation.carrel(
                        "run",
                        "--memory",
                        "64m",
                        "--",
                        "sh",
                        "-c",
                        "head -c 300m /dev/zero | tail; false");
        assertThat(killed.exit()).isNotZero();
        assertThat(killed.err())
                .contains("out of memory (limit 64M")
                .contains("--memory or limits.memory");
    }

    @Test
    void outputThatGoesStraightToTheCallerIsCountedToo() throws Exception {
        Installation.Answer flood =
                installation.carrel("run", "--set", "limits.output=100K", "--", "yes");
        assertThat(flood.out()).hasSize(100 * 1024);
        assertThat(flood.err())
                .contains("ended after 100K of output; to allow more: limits.output");

        Installation.Answer both =
                installation.carrel(
                        "run",
                        "--set",
                        "limits.output=1M",
                        "--",
                        "sh",
                        "-c",
                        "echo out; echo err >&2");
        assertThat(both.exit()).isZero();
        assertThat(both.out()).isEqualTo("out\n");
        assertThat(both.err()).contains("err\n").doesNotContain("limits");
    }

    @Test
    void atATerminalOutputIsCountedWhereItIsShown() throws Exception {
        try (Typist typist =
                Typist.at(
                        installation,
                        Installation.program()
                                + " run --set limits.output=50K -- yes | tail -c 100; echo left")) {
            assertThat(typist.await()).isZero();
            assertThat(typist.shown()).contains("ended after 50K of output").contains("left");
        }
        try (Typist typist =
                Typist.at(
                        installation,
                        Installation.program()
                                + " run --set limits.output=50K -- yes; echo left")) {
            assertThat(typist.await()).isZero();
            assertThat(typist.shown()).contains("ended after 50K of output").contains("left");
            assertThat(typist.shown().length()).isBetween(50_000, 500_000);
        }
    }

    @Test
    void whatCannotBeReadIsSaidAtOnce() throws Exception {
        Installation.Answer wrong =
                installation.carrel("run", "--memory", "1M", "--cpus", "many", "--", "true");
        assertThat(wrong.exit()).isEqualTo(125);
        assertThat(wrong.err())
                .contains("--memory: a command needs at least 16M, not 1M")
                .contains("--cpus: 'many' is not a number");
    }

    @Test
    void doctorNamesWhatHoldsThem() throws Exception {
        assertThat(installation.carrel("doctor").out())
                .containsPattern("limits +(cgroup|rlimits|systemd)");
    }
}
