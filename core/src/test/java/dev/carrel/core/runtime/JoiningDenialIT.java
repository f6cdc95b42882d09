package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a command must not reach of the session that it joined. */
class JoiningDenialIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private RuntimeFixture session;

    @BeforeEach
    void start() throws Exception {
        session = RuntimeFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        session.remove();
    }

    private String output(String script) throws InterruptedException {
        ProcessResult result = session.run(script);
        assertThat(result.errorText()).isEmpty();
        return result.outputText();
    }

    @Test
    void neitherThePauseNorOtherCommandsAreVisible() throws Exception {
        RunningCommand other = session.startAndAwait("exec sleep 86396.5");
        String seen = output("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
        assertThat(seen).contains("cat /proc").doesNotContain("86396.5").doesNotContain("pause");
        assertThat(output("ls -d /proc/[0-9]* | wc -l").strip()).isIn("3", "4", "5");
        long pause = session.pause().orElseThrow().process().pid();
        assertThat(session.run("kill -0 " + pause).exit()).isNotZero();
        assertThat(session.run("kill -0 $$").exit()).as("kill works").isZero();
        other.cancel();
        other.await();
    }

    @Test
    @Tag("US-08")
    void theFolderWithTheTokenIsEmptyAndReadOnly() throws Exception {
        assertThat(output("ls -A /run/carrel")).isEmpty();
        assertThat(session.run("touch /run/carrel/x").exit()).isNotZero();
        assertThat(session.run("umount /run/carrel").exit()).isNotZero();
        assertThat(session.run("touch /tmp/x").exit()).isZero();
    }

    @Test
    @Tag("PR-01")
    @Tag("PR-02")
    void processOneTellsNeitherOptionsNorEnvironmentOfTheHost() throws Exception {
        String words = output("tr '\\0' '\\n' < /proc/1/cmdline");
        assertThat(words).contains("bwrap").contains("--args").doesNotContain("--bind");
        assertThat(words).doesNotContain(session.base.toString()).doesNotContain("--setenv");
        assertThat(session.run("cat /proc/1/environ").outputText())
                .doesNotContain(session.base.toString())
                .doesNotContain("CARREL");
    }

    @Test
    @Tag("PR-05")
    void aCommandStartsWithTheThreeStreamsOnly() throws Exception {
        // The fourth is the directory that ls itself reads.
        assertThat(output("exec ls /proc/self/fd").lines()).containsExactly("0", "1", "2", "3");
        assertThat(output("exec 5</dev/null; exec ls /proc/self/fd").lines()).contains("5");
    }

    @Test
    void nothingOfTheStateDirectoryCanBeReached() throws Exception {
        assertThat(session.run("ls " + session.files().hold()).exit()).isNotZero();
        assertThat(session.run("ls " + session.base).exit()).isNotZero();
        assertThat(Files.exists(session.files().hold())).isTrue();
    }

    @Test
    @Tag("NS-01")
    @Tag("NS-04")
    void noNamespaceCanBeLeftOrMade() throws Exception {
        assertThat(session.run("unshare -U true").exit()).isNotZero();
        assertThat(session.run("unshare -m true").exit()).isNotZero();
        assertThat(session.run("nsenter -t 1 -U true").exit()).isNotZero();
        ProcessResult control = session.runner.run(Command.of("unshare", "-U", "true"));
        assertThat(control.exit()).as("the same outside").isZero();
    }

    @Test
    @Tag("NS-11")
    void noCapabilityIsLeft() throws Exception {
        assertThat(output("grep -E '^(Cap(Prm|Eff|Bnd)|NoNewPrivs)' /proc/self/status").lines())
                .allMatch(line -> line.endsWith("0000000000000000") || line.endsWith("\t1"));
        assertThat(session.run("mount -t tmpfs x /tmp").exit()).isNotZero();
    }

    @Test
    @Tag("PR-11")
    void theKernelsSettingsCannotBeWritten() throws Exception {
        Path pattern = Requirements.file(Path.of("/proc/sys/kernel/core_pattern"));
        String value = Files.readString(pattern);
        assertThat(session.run("cat " + pattern + " > " + pattern).exit()).isNotZero();
        assertThat(output("cat " + pattern)).as("it can be read").isEqualTo(value);
        if (session.identity.switched()) {
            // Root without any capability may, by its number alone: so the number must not be 0.
            List<String> asRoot =
                    new ArrayList<>(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"));
            asRoot.addAll(List.of("test", "-w", pattern.toString()));
            Requirements.that(
                    session.runner.run(Command.of(asRoot)).succeeded(),
                    "needs a writable /proc/sys for its control");
        }
    }
}
