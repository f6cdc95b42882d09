package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.process.StandardStream;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions that see the whole host, asked for on the command line. */
class HostReadonlyVerbsTest {

    @TempDir Path scratch;
    private Path directory;
    private final FakeProgram program = new FakeProgram();

    @BeforeEach
    void repository() throws IOException {
        directory = scratch.toRealPath();
        program.environment.put("HOME", directory.toString());
        program.directory = Files.createDirectories(directory.resolve("src/app/web"));
        Files.createDirectory(directory.resolve("src/app/.git"));
        program.sessions.around = Optional.of(directory.resolve("src/app"));
    }

    private Path settings(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("src/carrel.yaml"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private SessionRequest created() {
        return program.sessions.created.getLast();
    }

    @Test
    void startsWhereTheCallerIsAndNotInTheRepository() {
        for (List<String> words :
                List.of(
                        List.of("run", "--mode", "host_readonly", "ls"),
                        List.of("session", "new", "--mode", "host_readonly"),
                        List.of("run", "--set", "mode=host_readonly", "ls"))) {
            assertThat(program.carrel(words.toArray(String[]::new))).isZero();

            assertThat(created().repos())
                    .containsExactly(new RepoRequest(Optional.empty(), program.directory));
            assertThat(created().policy().view()).isEqualTo(ViewMode.HostReadonly.DEFAULT);
            assertThat(program.err()).isEmpty();
        }
        assertThat(program.sessions.ran.getLast().directory())
                .contains(program.directory.toString());
    }

    @Test
    void aFileDecidesTheModeAndAnOptionWins() throws Exception {
        settings("mode: host_readonly\nhost_readonly: {unshare_pid: true, mask: [~/mail]}\n");
        assertThat(program.carrel("run", "ls")).isZero();
        assertThat(created().policy().view())
                .isEqualTo(
                        new ViewMode.HostReadonly(
                                true,
                                true,
                                true,
                                List.of(directory.resolve("mail").toString()),
                                List.of()));

        assertThat(program.carrel("run", "--mode", "overlay", "ls")).isZero();
        assertThat(created().policy().view()).isEqualTo(new ViewMode.Overlay());
        assertThat(created().repos().getFirst().directory())
                .isEqualTo(directory.resolve("src/app"));

        settings("mode: hostreadonly\n");
        assertThat(program.carrel("run", "ls")).isZero();
        assertThat(created().policy().view()).isEqualTo(new ViewMode.Overlay());
        assertThat(program.err()).contains("overlay is used instead");
        assertThat(program.carrel("run", "--mode", "host", "ls")).isEqualTo(125);
        assertThat(program.err()).contains("--mode mode: 'host' is not allowed; use one of");
    }

    @Test
    void whatOnlyCopiesHaveIsRefused() {
        assertThat(
                        program.carrel(
                                "run",
                                "--mode",
                                "host_readonly",
                                "--repo",
                                ".",
                                "--mount",
                                "ro:/srv",
                                "--include",
                                "x",
                                "ls"))
                .isEqualTo(125);

        assertThat(program.sessions.created).isEmpty();
        assertThat(program.err().lines())
                .containsExactly(
                        "carrel: mode: host_readonly has no repositories: leave --repo out",
                        "carrel: mode: host_readonly shows the whole host: leave --mount out",
                        "carrel: mode: host_readonly copies nothing: leave --include and"
                                + " --no-uncommitted out");
        assertThat(program.carrel("run", "--session", "x", "--mode", "overlay", "ls"))
                .isEqualTo(125);
    }

    @Test
    void whatAFileAskedForBesidesIsSaid() throws Exception {
        Path file =
                settings(
                        "snapshots: {enabled: true, include: [x]}\nproject_setup: {timeout_s: 5}\n");
        assertThat(program.carrel("run", "--mode", "host_readonly", "ls")).isZero();

        assertThat(program.err())
                .isEqualTo(
                        "carrel: "
                                + file
                                + ":1:22: snapshots.enabled: true is not possible with mode:"
                                + " host_readonly; false is used instead\n");
    }

    @ParameterizedTest
    @CsvSource({"y, true", "YES, true", "n, false", "'', false", "share, false"})
    void aTerminalIsAskedForTheNetworkOnce(String typed, boolean shared) {
        program.terminals.addAll(Set.of(StandardStream.INPUT, StandardStream.ERROR));
        program.typed = typed + "\nnot for us";

        assertThat(program.carrel("session", "new", "--mode", "host_readonly")).isZero();

        assertThat(program.err()).contains("May it use the host's network, too?");
        assertThat(created().policy().network() instanceof NetworkAccess.Host).isEqualTo(shared);
    }

    @Test
    void nobodyIsAskedWhereTheAnswerIsKnown() throws Exception {
        assertThat(program.carrel("session", "new", "--mode", "host_readonly")).isZero();
        assertThat(created().policy().network()).isEqualTo(NetworkAccess.Own.NOTHING);

        program.terminals.addAll(Set.of(StandardStream.INPUT, StandardStream.ERROR));
        assertThat(program.carrel("session", "new", "--mode", "host_readonly", "--allow", "a.test"))
                .isZero();
        assertThat(program.carrel("session", "new")).isZero();
        settings("mode: host_readonly\nhost_readonly: {network: isolate}\n");
        assertThat(program.carrel("session", "new")).isZero();
        assertThat(created().policy().network()).isEqualTo(NetworkAccess.Own.NOTHING);
        settings("mode: host_readonly\nhost_readonly: {network: share}\n");
        assertThat(program.carrel("session", "new")).isZero();
        assertThat(created().policy().network()).isEqualTo(new NetworkAccess.Host());
        assertThat(program.carrel("plan", "run", "--mode", "host_readonly", "ls")).isZero();
    }
}
