package dev.carrel.core.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Spawn;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.Command.HandedOver.Access;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every command of the host can rely on, whichever way it is started. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HostProcessRunnerIT {

    @TempDir Path folder;

    enum Way {
        SPAWNED,
        JDK;

        RunningProcess start(Command command) {
            return switch (this) {
                case SPAWNED -> HostProcessRunner.start(command, SpawnedProcess::start);
                case JDK -> HostProcessRunner.start(command, JdkProcess::start);
            };
        }

        ProcessResult run(Command command) throws InterruptedException {
            return start(command).await();
        }
    }

    @Test
    void theCLibraryOfThisMachineSpawns() {
        assertThat(Spawn.isPossible()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aCommandHasOnlyTheDescriptorsThatItWasGiven(Way way) throws Exception {
        Path handed = Files.writeString(folder.resolve("handed"), "text");
        List<FileInputStream> open = new ArrayList<>();
        try {
            // Streams of the JDK are not closed on exec; some get numbers that a command may have.
            for (int i = 0; i < 20; i++) {
                open.add(new FileInputStream("/dev/zero"));
            }
            Command command =
                    Command.of("sh", "-c", "ls -l /proc/$$/fd; exec cat <&7")
                            .handingOver(
                                    List.of(
                                            new HandedOver(9, handed, Access.READ),
                                            new HandedOver(7, handed, Access.READ)));
            String output = way.run(command).outputText();
            assertThat(output).endsWith("text");
            assertThat(output.lines().filter(line -> line.contains(" -> ")))
                    .extracting(line -> line.replaceAll(".* ([0-9]+) -> .*", "$1"))
                    .containsExactly("0", "1", "2", "7", "9");
        } finally {
            for (FileInputStream each : open) {
                each.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatACommandSaysAndItsStatusAreKept(Way way) throws Exception {
        ProcessResult result =
                way.run(
                        Command.of("sh", "-c", "cat; echo error >&2; exit 7")
                                .withInput("input".getBytes(UTF_8)));
        assertThat(result.outputText()).isEqualTo("input");
        assertThat(result.errorText()).isEqualTo("error");
        assertThat(result.exit()).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void moreThanAPipeHoldsGoesThrough(Way way) throws Exception {
        byte[] much = new byte[3_000_000];
        Arrays.fill(much, (byte) 'x');
        ProcessResult result = way.run(Command.of("sh", "-c", "tee /dev/stderr").withInput(much));
        assertThat(result.output()).isEqualTo(much);
        assertThat(result.error()).isEqualTo(much);
    }

    @ParameterizedTest
    @EnumSource
    void aSignalThatEndsACommandIsTold(Way way) throws Exception {
        assertThat(way.run(Command.of("sh", "-c", "kill -TERM $$")).exit()).isEqualTo(128 + 15);
    }

    @ParameterizedTest
    @EnumSource
    void aCommandCanBeKilled(Way way) throws Exception {
        RunningProcess process = way.start(Command.of("sleep", "1000"));
        assertThat(process.isAlive()).isTrue();
        process.kill();
        assertThat(process.await().exit()).isEqualTo(128 + 9);
        assertThat(process.isAlive()).isFalse();
        process.kill();
    }

    @ParameterizedTest
    @EnumSource
    void aCommandStartsWhereItShouldWithItsVariablesOnly(Way way) throws Exception {
        Command command =
                Command.of("/usr/bin/env", "sh", "-c", "pwd; env | grep -v '^PWD=\\|^_='")
                        .in(folder)
                        .withEnvironment(Map.of("PATH", "/usr/bin:/bin", "NAME", "grüße"));
        assertThat(way.run(command).outputText().lines())
                .containsExactlyInAnyOrder(
                        folder.toRealPath().toString(), "PATH=/usr/bin:/bin", "NAME=grüße");
    }

    @ParameterizedTest
    @EnumSource
    void noSignalIsBlocked(Way way) throws Exception {
        assertThat(way.run(Command.of("grep", "SigBlk", "/proc/self/status")).outputText())
                .contains("0000000000000000");
    }

    @ParameterizedTest
    @EnumSource
    void outputGoesWhereErrorsGo(Way way) throws Exception {
        Path file = folder.resolve("both");
        ProcessResult result =
                way.run(
                        Command.of("sh", "-c", "echo one; echo two >&2; echo three")
                                .withStreams(
                                        new Command.Input.Nothing(),
                                        new Command.Output.ToStandardError(),
                                        new Command.Output.File(file)));
        assertThat(result.succeeded()).isTrue();
        assertThat(file).hasContent("one\ntwo\nthree");
    }

    @ParameterizedTest
    @EnumSource
    void streamsAreTheCallersWhileACommandRuns(Way way) throws Exception {
        RunningProcess process =
                way.start(
                        Command.of("sh", "-c", "read line; echo \"got $line\"; cat >/dev/null")
                                .withStreams(
                                        new Command.Input.Piped(),
                                        new Command.Output.Piped(),
                                        new Command.Output.Discarded()));
        try (OutputStream input = process.input()) {
            input.write("a line\n".getBytes(UTF_8));
            input.flush();
            assertThat(process.output().readNBytes(11)).isEqualTo("got a line\n".getBytes(UTF_8));
            assertThat(process.isAlive()).isTrue();
        }
        assertThat(process.await().succeeded()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aProgramThatDoesNotExistIsNamed(Way way) {
        assertThatThrownBy(() -> way.start(Command.of("no-such-program")))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("cannot start no-such-program");
        assertThatThrownBy(() -> way.start(Command.of("/nonexistent/program")))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("cannot start /nonexistent/program")
                .hasMessageContaining("o such file");
        assertThatThrownBy(() -> way.start(Command.of("/etc/passwd")))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("cannot start /etc/passwd")
                .hasMessageContaining("ermission denied");
    }

    @ParameterizedTest
    @EnumSource
    void aFailedStartLeavesNothingOpen(Way way) throws IOException {
        // The first start opens what stays open.
        assertThatThrownBy(() -> way.start(Command.of("/nonexistent/program")));
        long before = openDescriptors();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> way.start(Command.of("/nonexistent/program")));
        }
        assertThat(openDescriptors()).isLessThan(before + 20);
    }

    @ParameterizedTest
    @EnumSource
    void commandsThatRanLeaveNothingOpen(Way way) throws Exception {
        way.run(Command.of("true"));
        long before = openDescriptors();
        for (int i = 0; i < 20; i++) {
            way.run(Command.of("true"));
        }
        assertThat(openDescriptors()).isLessThan(before + 20);
    }

    private static long openDescriptors() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
