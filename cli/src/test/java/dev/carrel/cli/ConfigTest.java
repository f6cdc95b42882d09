package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EnvironmentMode;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.process.StandardStream;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings in files, seen from the command line. */
class ConfigTest {

    @TempDir Path scratch;
    private Path directory;
    private final FakeProgram program = new FakeProgram();
    private final FakeSessions sessions = program.sessions;

    @BeforeEach
    void repository() throws IOException {
        directory = scratch.toRealPath();
        Path app = Files.createDirectories(directory.resolve("src/app"));
        Files.createDirectory(app.resolve(".git"));
        program.environment.put("HOME", directory.toString());
        program.directory = app;
        sessions.around = Optional.of(app);
    }

    private Path write(String path, String text) {
        Path file = directory.resolve(path);
        try {
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, text);
            return Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString("rw-r--r--"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int carrel(String... words) {
        return program.carrel(words);
    }

    private SandboxPolicy policy() {
        return sessions.created.getLast().policy();
    }

    @Test
    void aSessionHasTheSettingsOfTheFile() {
        write(
                ".config/carrel/carrel.yaml",
                """
                session_tmp: false
                sandbox:
                  seccomp: enforce
                  env_mode: inherit_all
                  inherit_env_vars: [A]
                  extra_read_only: [~/tools]
                snapshots:
                  include: [node_modules]
                  uncommitted: exclude
                """);
        assertThat(carrel("run", "--include", "x", "make")).isZero();

        SessionRequest request = sessions.created.getFirst();
        assertThat(program.err()).isEmpty();
        assertThat(request.uncommitted()).isFalse();
        assertThat(request.include()).containsExactly("node_modules", "x");
        assertThat(policy().sessionTmp()).isFalse();
        assertThat(policy().seccomp()).isEqualTo(SeccompMode.ENFORCE);
        assertThat(policy().environmentMode()).isEqualTo(EnvironmentMode.INHERIT_ALL);
        assertThat(policy().inheritedVariables()).containsExactly("A");
        assertThat(policy().extraReadOnly()).containsExactly(directory.resolve("tools"));
    }

    @Test
    void whatIsGivenWinsOverFiles() {
        write(
                "src/carrel.yaml",
                "sandbox: {seccomp: log, inherit_env_vars: [A], env_mode: minimal}\n");
        carrel(
                "run",
                "--set",
                "sandbox.seccomp=off",
                "--set",
                "sandbox.allowed_env_vars=B",
                "--set",
                "sandbox.clearenv=false",
                "make");

        assertThat(policy().seccomp()).isEqualTo(SeccompMode.OFF);
        assertThat(policy().inheritedVariables()).containsExactly("B");
        assertThat(policy().environmentMode()).isEqualTo(EnvironmentMode.INHERIT_ALL);
    }

    @Test
    void theFileIsNamedBeforeOrAfterTheVerb() {
        Path file = write("x.yaml", "sandbox: {hostname: x}\n");
        for (List<String> words :
                List.of(
                        List.of("--config", file.toString(), "run", "make"),
                        List.of("--config=" + file, "run", "make"),
                        List.of("run", "--config", "../../x.yaml", "make"),
                        List.of("--config", "missing", "run", "--config=" + file, "--", "make"))) {
            assertThat(carrel(words.toArray(String[]::new))).isZero();
            assertThat(policy().hostname()).contains("x");
        }
        assertThat(carrel("run", "make", "--config", "missing")).isZero();
        assertThat(carrel("--config")).isEqualTo(2);
        assertThat(program.err()).contains("--config needs a file");
        assertThat(carrel("--config", "missing", "run", "make")).isEqualTo(125);
        assertThat(program.err()).contains("there is no configuration file");
        assertThat(carrel("--config", "missing", "diff", "x")).isEqualTo(1);
    }

    @Test
    void whatARepositoryMayNotAllowIsToldAlways() {
        Path own = write("src/app/carrel.yaml", "sandbox:\n  seccomp: off\n  secomp: off\n");
        assertThat(carrel("run", "make")).isZero();

        assertThat(policy().seccomp()).isEqualTo(SeccompMode.DEFAULT);
        assertThat(program.err().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith(
                        "carrel: "
                                + own
                                + ":2:12: sandbox.seccomp: off is not used: a repository's");
        assertThat(program.err())
                .contains(own + ":3:3: sandbox.secomp: there is no such key; did you mean");
    }

    @Test
    void noticesAreForTerminalsOnly() {
        Path file = write("src/carrel.yaml", "snapshots: {shared: false}\n");
        write("src/app/.codumentor/setup.sh", "true");
        carrel("run", "make");
        assertThat(program.err()).isEmpty();

        program.terminals.add(StandardStream.ERROR);
        carrel("session", "new");
        assertThat(program.err().lines())
                .containsExactly(
                        "carrel: settings of " + file,
                        "carrel: snapshots.shared: false ("
                                + file
                                + ":1:21) is not supported yet; passed over",
                        "carrel: "
                                + directory
                                + "/src/app/.codumentor/setup.sh is not run: set-up is not supported yet");
    }

    @Test
    void limitsOfAFileHoldAndOptionsWin() {
        write("src/carrel.yaml", "limits: {pids: 5, memory: 1G}\n");
        carrel("run", "--memory", "2g", "--timeout", "90s", "make");
        assertThat(sessions.created.getLast().policy().limits())
                .isEqualTo(
                        ResourceLimits.NONE
                                .withPids(5)
                                .withMemory(2L << 30)
                                .within(Duration.ofSeconds(90)));
    }

    @Test
    void whereItIsForbiddenNothingRuns() {
        carrel("session", "new");
        Path own = write("src/app/carrel.yaml", "enabled: false\n");
        String line = "carrel: " + own + ":1:10: enabled: false, so nothing is run\n";
        for (List<String> words :
                List.of(
                        List.of("run", "make"),
                        List.of("run", "--session", "calm", "make"),
                        List.of("exec", "calm", "make"),
                        List.of("shell", "calm"))) {
            assertThat(carrel(words.toArray(String[]::new))).isEqualTo(125);
            assertThat(program.err()).isEqualTo(line);
        }
        assertThat(carrel("session", "new")).isEqualTo(1);
        assertThat(program.err()).isEqualTo(line);
        assertThat(sessions.ran).isEmpty();
        assertThat(carrel("diff", "calm")).isZero();
        assertThat(carrel("session", "list")).isZero();
        assertThat(carrel("session", "rm", "calm")).isZero();
    }

    @Test
    void aBrokenFileStopsWhatNeedsItAndNamesAllProblems() {
        Path file = write("src/carrel.yaml", "enabled: 1\nsession_tmp: 2\n");
        assertThat(carrel("run", "make")).isEqualTo(125);
        assertThat(program.err().lines())
                .containsExactly(
                        "carrel: " + file + ":1:10: enabled: '1' is not allowed; use true or false",
                        "carrel: "
                                + file
                                + ":2:14: session_tmp: '2' is not allowed; use true or false",
                        "  fix: carrel config check");
        assertThat(carrel("session", "list")).isEqualTo(2);
        assertThat(carrel("--help")).isZero();
        assertThat(carrel("config", "schema")).isZero();

        Path named = write("bad.yaml", "enabled: 1\n");
        assertThat(carrel("--config", "../../bad.yaml", "run", "make")).isEqualTo(125);
        assertThat(program.err()).endsWith("  fix: carrel config check " + named + "\n");

        write("src/carrel.yaml", "");
        write("src/app/carrel.yaml", "enabled: 1\n");
        assertThat(carrel("session", "list")).isZero();
        assertThat(carrel("run", "make")).isEqualTo(125);
    }

    @Test
    void repositoriesHaveNames() {
        write("src/carrel.yaml", "repos: [{name: one, path: app}, {name: two, path: lib}]\n");
        write("src/lib/x", "");
        assertThat(carrel("run", "--repo", "two", "--repo", "three=../lib", "make")).isZero();
        assertThat(sessions.created.getLast().repos())
                .containsExactly(
                        new RepoRequest(Optional.of("two"), directory.resolve("src/lib")),
                        new RepoRequest(Optional.of("three"), directory.resolve("src/lib")));

        carrel("run", "make");
        assertThat(sessions.created.getLast().repos())
                .containsExactly(new RepoRequest(Optional.of("one"), directory.resolve("src/app")));
    }

    @Test
    void outsideOfAnyRepositoryTheNamedOnesAreTaken() {
        write(
                ".config/carrel/carrel.yaml",
                "repos: [{name: one, path: ~/src/app}, {name: two, path: ~/src/lib}]\n");
        write("src/lib/x/y", "");
        sessions.around = Optional.empty();
        program.directory = directory;
        carrel("run", "make");
        assertThat(sessions.created.getLast().repos())
                .containsExactly(
                        new RepoRequest(Optional.of("one"), directory.resolve("src/app")),
                        new RepoRequest(Optional.of("two"), directory.resolve("src/lib")));

        program.directory = directory.resolve("src/lib/x");
        carrel("run", "make");
        assertThat(sessions.created.getLast().repos())
                .containsExactly(new RepoRequest(Optional.of("two"), directory.resolve("src/lib")));
    }

    @Test
    void checkIsStricterThanARun() {
        program.terminals.add(StandardStream.ERROR);
        assertThat(carrel("config", "check")).isZero();
        assertThat(program.err()).contains("there is no file of settings here");

        Path file = write("src/carrel.yaml", "mode: x\nfoo: 1\nsnapshots: {shared: false}\n");
        Path own = write("src/app/carrel.yaml", "sandbox: {seccomp: off}\n");
        assertThat(carrel("config", "check")).isEqualTo(1);
        assertThat(program.out().lines())
                .containsExactly(
                        file
                                + ":1:7: warning: mode: 'x' is not allowed, overlay is used instead; use one of overlay, host_readonly",
                        file + ":2:1: error: foo: there is no such key",
                        own
                                + ":1:20: error: sandbox.seccomp: off is not used: a repository's own file may only go to the right in off, log, default, enforce (now default); to allow it, set it in a file of your own",
                        "warning: snapshots.shared: false ("
                                + file
                                + ":3:21) is not supported yet; it is passed over");

        write("src/carrel.yaml", "sandbox: {seccomp: off}\n");
        assertThat(carrel("config", "check")).isZero();
        assertThat(carrel("config", "check", "carrel.yaml")).isZero();
        assertThat(program.err()).contains("nothing is wrong with").contains(own.toString());
        assertThat(carrel("config", "check", "missing.yaml")).isEqualTo(1);
    }

    @Test
    void showsWhatIsInEffectAndWhy() {
        Path file = write("src/carrel.yaml", "workspace_base: ~/w\nsandbox:\n  hostname: box\n");
        assertThat(carrel("config", "show")).isZero();
        assertThat(program.out())
                .containsPattern("(?m)^KEY +VALUE +FROM$")
                .containsPattern("(?m)^session_tmp +true +default$")
                .containsPattern("(?m)^sandbox.hostname +box +" + file + ":3:13$")
                .containsPattern("(?m)^workspace_base +" + directory + "/w +" + file + ":1:17$");

        program.environment.put("CARREL_WORKSPACES", "/srv/w");
        assertThat(carrel("config", "show", "--json")).isZero();
        assertThat(program.out())
                .startsWith(
                        "{\"files\":[\""
                                + file
                                + "\"],\"settings\":[{\"key\":\"enabled\",\"value\":true},")
                .contains(
                        "{\"key\":\"workspace_base\",\"value\":\"/srv/w\",\"variable\":\"CARREL_WORKSPACES\"}",
                        "{\"key\":\"sandbox.hostname\",\"value\":\"box\",\"file\":\""
                                + file
                                + "\",\"line\":3,\"column\":13}");
    }

    @Test
    void showsWhatIsNotUsedAndAllPlacesOfAList() {
        Path file = write("src/carrel.yaml", "sandbox: {mask: [a]}\n");
        Path own = write("src/app/carrel.yaml", "sandbox: {mask: [b], seccomp: off}\n");
        for (List<String> words :
                List.of(List.of("config", "show"), List.of("config", "show", "--json"))) {
            assertThat(carrel(words.toArray(String[]::new))).isZero();
            assertThat(program.err())
                    .startsWith("carrel: " + own + ":1:31: sandbox.seccomp: off is not used: ");
        }
        assertThat(program.out())
                .contains(
                        "{\"key\":\"sandbox.mask\",\"value\":[\"a\",\"b\"],\"file\":\""
                                + own
                                + "\",\"line\":1,\"column\":17,\"alsoFrom\":[{\"file\":\""
                                + file
                                + "\",\"line\":1,\"column\":17}]}",
                        "{\"key\":\"limits.memory\",\"value\":null}");

        carrel("config", "show");
        assertThat(program.out())
                .containsPattern("(?m)^sandbox.mask +\\[.*] +" + file + ":1:17, " + own + ":1:17$")
                .containsPattern("(?m)^sandbox.hostname +none +default$")
                .containsPattern("(?m)^limits.memory +none +default$");
    }

    @Test
    void writesAStarterAndNeverOverAFile() throws IOException {
        Path file = directory.resolve(".config/carrel/carrel.yaml");
        assertThat(carrel("config", "init")).isZero();
        assertThat(program.out()).isEqualTo(file + "\n");
        assertThat(carrel("config", "check")).isZero();
        assertThat(carrel("run", "make")).isZero();
        assertThat(program.err()).isEmpty();

        Files.writeString(file, "# mine\n");
        assertThat(carrel("config", "init")).isEqualTo(1);
        assertThat(file).hasContent("# mine");
        assertThat(carrel("config", "init", "--force")).isZero();
        assertThat(file).content().startsWith("# Settings of Carrel.");
        assertThat(carrel("config", "init", "sub/my carrel.yaml")).isZero();
        assertThat(program.directory.resolve("sub/my carrel.yaml")).exists();
        assertThat(carrel("config", "init", "sub/my carrel.yaml")).isEqualTo(1);
        assertThat(program.err())
                .contains(
                        "  fix: to replace it: carrel config init --force 'sub/my carrel.yaml'\n");
    }

    @Test
    void convertsSettingsOfOthers() {
        write(
                "srt.json",
                "{\"network\":{\"allowedDomains\":[\"a.b:443\"]},\"filesystem\":{\"denyRead\":[\"/x\"]}}");
        assertThat(carrel("config", "import", "srt", "../../srt.json")).isZero();
        assertThat(program.out())
                .isEqualTo("# Converted from srt.json.\negress:\n  allow:\n    - \"a.b:443\"\n");
        assertThat(program.err())
                .isEqualTo(
                        "carrel: filesystem.denyRead /x: the host is not shown to begin with; a place in"
                                + " a repository goes into sandbox.mask, relative to its root\n");
        assertThat(carrel("config", "import", "podman", "x")).isEqualTo(2);
    }

    @Test
    void aFileOfOthersThatCannotBeReadIsNoWrongUsage() {
        write("bad", "{ =");
        for (String file : List.of("../../bad", "missing")) {
            assertThat(carrel("config", "import", "srt", file)).isEqualTo(1);
            assertThat(carrel("config", "import", "codex", file)).isEqualTo(1);
            assertThat(program.out()).isEmpty();
            assertThat(program.err()).startsWith("carrel: ");
        }
    }
}
