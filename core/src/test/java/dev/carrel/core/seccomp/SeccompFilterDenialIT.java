package dev.carrel.core.seccomp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.seccomp.KernelProbe.Verdict;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter against the kernel that runs the test. */
final class SeccompFilterDenialIT {

    private static final int SIGSEGV = 11;
    private static final int SIGSYS = 31;

    @TempDir Path directory;

    @BeforeEach
    void needsSandboxes() {
        Requirements.that(
                Architecture.current().equals(Architecture.X86_64), "needs an x86-64 processor");
        Requirements.bwrap();
    }

    @Test
    @Tag("NS-01")
    @Tag("NS-02")
    @Tag("NS-03")
    void enforceDeniesWhatTheKernelWouldOtherwiseDo() throws Exception {
        Map<String, Integer> open = answers(SeccompMode.OFF);
        Map<String, Integer> filtered = answers(SeccompMode.ENFORCE);
        for (KernelProbe probe : KernelProbe.all()) {
            int unfiltered = open.getOrDefault(probe.label(), -1);
            if (probe.verdict() == Verdict.ALLOWED) {
                assertThat(filtered).containsEntry(probe.label(), unfiltered);
            } else {
                assertThat(filtered).containsEntry(probe.label(), probe.denial());
                if (probe.hasControl()) {
                    assertThat(open).doesNotContainEntry(probe.label(), probe.denial());
                }
            }
        }
    }

    @Test
    void defaultDeniesTheCoreAndNothingElse() throws Exception {
        Map<String, Integer> open = answers(SeccompMode.OFF);
        Map<String, Integer> filtered = answers(SeccompMode.DEFAULT);
        for (KernelProbe probe : KernelProbe.all()) {
            int expected =
                    probe.verdict() == Verdict.CORE
                            ? probe.denial()
                            : open.getOrDefault(probe.label(), -1);
            assertThat(filtered).containsEntry(probe.label(), expected);
        }
    }

    @Test
    void logDeniesNothing() throws Exception {
        assertThat(answers(SeccompMode.LOG)).isEqualTo(answers(SeccompMode.OFF));
    }

    @ParameterizedTest
    @EnumSource(names = {"DEFAULT", "ENFORCE"})
    void endsAProgramThatMakes32BitCalls(SeccompMode mode) throws Exception {
        Path program = directory.resolve("calls32");
        Files.write(program, ForeignCall.program());
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        int unfiltered = FilteredSandbox.of(SeccompMode.OFF, directory).run("./calls32").exit();

        ProcessResult result = FilteredSandbox.of(mode, directory).run("./calls32");

        // A kernel without 32-bit emulation faults before it asks any filter: there the program
        // fails on both sides, and only the interpreter has shown the rule.
        boolean emulated = unfiltered == 0;
        assertThat(result.exit()).isEqualTo(emulated ? 128 + SIGSYS : 128 + SIGSEGV);
        assertThat(FilteredSandbox.of(SeccompMode.LOG, directory).run("./calls32").exit())
                .isEqualTo(unfiltered);
    }

    @ParameterizedTest
    @EnumSource(names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    @Tag("PR-06")
    void holdsForTheCommandAndForTheProcessThatReapsIt(SeccompMode mode) throws Exception {
        String[] look = {"grep", "-h", "^Seccomp:", "/proc/self/status", "/proc/1/status"};
        assertThat(FilteredSandbox.of(mode, directory).run(look).outputText())
                .isEqualTo("Seccomp:\t2\nSeccomp:\t2\n");
        assertThat(FilteredSandbox.of(SeccompMode.OFF, directory).run(look).outputText())
                .isEqualTo("Seccomp:\t0\nSeccomp:\t0\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 12, 8 * 20, 8 * 193, 8 * 194 - 4})
    @Tag("NS-15")
    void runsNothingWithAFilterThatWasCutOff(int length) throws Exception {
        byte[] whole =
                SeccompFilter.forMode(SeccompMode.ENFORCE, Architecture.X86_64)
                        .orElseThrow()
                        .program();
        assertThat(length).isLessThan(whole.length);
        runsNothing(FilteredSandbox.with(Arrays.copyOf(whole, length), directory));
        FilteredSandbox.with(whole, directory).run("touch", "ran");
        assertThat(directory.resolve("ran")).exists();
    }

    @Test
    @Tag("NS-15")
    void runsNothingWithAFilterThatIsNoProgram() throws Exception {
        runsNothing(FilteredSandbox.with(new byte[64], directory));
        runsNothing(
                FilteredSandbox.with(
                        "no program at all, 32 bytes long".getBytes(UTF_8), directory));
    }

    @Test
    @Tag("NS-15")
    void runsNothingWithAFilterThatCannotBeRead() throws Exception {
        FilteredSandbox missing = FilteredSandbox.with(directory.resolve("missing.bpf"), directory);
        assertThatThrownBy(() -> missing.run("touch", "ran"))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("missing.bpf");
        assertThat(directory.resolve("ran")).doesNotExist();
        runsNothing(FilteredSandbox.with(Files.createDirectory(directory.resolve("d")), directory));
    }

    private void runsNothing(FilteredSandbox sandbox) throws InterruptedException {
        ProcessResult result = sandbox.run("touch", "ran");
        assertThat(result.exit()).isIn(1, 2);
        assertThat(result.errorText()).isNotBlank();
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    private Map<String, Integer> answers(SeccompMode mode)
            throws IOException, InterruptedException {
        Requirements.program("perl");
        List<KernelProbe> probes = KernelProbe.all();
        String input =
                probes.stream()
                        .map(probe -> probe.label() + " " + probe.call() + "\n")
                        .collect(Collectors.joining());
        ProcessResult result =
                FilteredSandbox.of(mode, directory)
                        .withCapabilities()
                        .run(
                                input.getBytes(UTF_8),
                                List.of("perl", "-e", KernelProbe.resource("probe.pl")));
        assertThat(result.errorText()).isEmpty();
        var answers = new HashMap<String, Integer>();
        for (String line : result.outputText().lines().toList()) {
            String[] words = line.split(" ", 2);
            answers.put(words[0], Integer.valueOf(words[1]));
        }
        assertThat(answers).hasSameSizeAs(probes);
        return answers;
    }
}
