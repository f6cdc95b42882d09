package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a command must not reach of the session that it joined. */
class JoiningDenialIT {

    private static RuntimeFixture session;

    /** So that the session goes on between the commands. */
    private static RunningCommand keeping;

    @BeforeAll
    static void start() throws Exception {
        Requirements.bwrap();
        session = RuntimeFixture.create();
        keeping = session.startAndAwait("exec sleep 600");
    }

    @AfterAll
    static void end() throws Exception {
        if (session != null) {
            if (keeping != null) {
                keeping.cancel();
                keeping.await();
            }
            session.remove();
        }
    }

    /** Says of each command, in a line of its own, whether it worked. */
    private static List<String> worked(String... commands) throws InterruptedException {
        StringBuilder script = new StringBuilder();
        for (String command : commands) {
            script.append("(" + command + ") >/dev/null 2>&1 && echo yes || echo no\n");
        }
        return session.run(script.toString()).outputText().lines().toList();
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
        assertThat(worked("kill -0 " + pause, "kill -0 $$"))
                .as("the second shows that kill works")
                .containsExactly("no", "yes");
        other.cancel();
        other.await();
    }

    @Test
    @Tag("US-08")
    void theFolderWithTheTokenIsEmptyAndReadOnly() throws Exception {
        assertThat(output("ls -A /run/carrel")).isEmpty();
        assertThat(worked("touch /run/carrel/x", "umount /run/carrel", "touch /tmp/x"))
                .containsExactly("no", "no", "yes");
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
        assertThat(worked("ls " + session.files().hold(), "ls " + session.base, "ls /"))
                .containsExactly("no", "no", "yes");
        assertThat(Files.exists(session.files().hold())).isTrue();
    }

    @Test
    @Tag("NS-01")
    @Tag("NS-04")
    void noNamespaceCanBeLeftOrMade() throws Exception {
        assertThat(worked("unshare -U true", "unshare -m true", "nsenter -t 1 -U true"))
                .containsExactly("no", "no", "no");
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
