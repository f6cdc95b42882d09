package dev.carrel.core.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.policy.EnvironmentMode;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.policy.ViewMode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CommandOptionsTest {

    private static final Identity ORDINARY = new Identity(1234, 1235, false);
    private static final Identity DEDICATED = new Identity(60919, 60919, true);
    private static final SandboxPath HERE = SandboxPath.of("/workspace/repo");

    private static SandboxPolicy everythingOtherThanTheDefault() {
        return new SandboxPolicy(
                NetworkAccess.Own.NOTHING,
                true,
                true,
                Optional.of("box"),
                true,
                SeccompMode.OFF,
                EnvironmentMode.MINIMAL,
                List.of(),
                false,
                false,
                List.of(),
                List.of());
    }

    private static Options options(
            SandboxPolicy policy, Identity identity, boolean terminal, boolean filtered) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", "/usr/bin");
        environment.put("TEXT", "two words");
        return CommandOptions.of(policy, identity, environment, HERE, terminal, filtered);
    }

    @Test
    void theDefaultPolicyForAnOrdinaryUser() throws Exception {
        Golden.assertSame(
                options(SandboxPolicy.DEFAULT, ORDINARY, false, true).words(),
                "command-default.txt");
    }

    @Test
    void thePolicyThatDiffersInEverythingForADedicatedUser() throws Exception {
        Golden.assertSame(
                options(everythingOtherThanTheDefault(), DEDICATED, false, false).words(),
                "command-other.txt");
    }

    @Test
    void aTerminalOfItsOwnNeedsNoNewSession() {
        assertThat(options(everythingOtherThanTheDefault(), ORDINARY, true, false).words())
                .doesNotContain("--new-session");
    }

    @Test
    void theCoversAreThereWhateverThePolicySays() {
        for (SandboxPolicy policy :
                List.of(SandboxPolicy.DEFAULT, everythingOtherThanTheDefault())) {
            for (boolean flag : List.of(true, false)) {
                List<String> words = options(policy, DEDICATED, flag, flag).words();
                assertThat(words)
                        .containsSubsequence("--cap-drop", "ALL", "--die-with-parent", "--clearenv")
                        .containsSubsequence("--bind", "/", "/", "--tmpfs", "/run/carrel")
                        .containsSubsequence("--bind", "/", "/", "--proc", "/proc", "--dev", "/dev")
                        .containsSubsequence("--dev", "/dev", "--tmpfs", "/dev/shm")
                        .containsSubsequence("--dev", "/dev", "--remount-ro", "/dev")
                        .containsSubsequence(
                                "--tmpfs", "/run/carrel", "--remount-ro", "/run/carrel")
                        .contains("--unshare-pid", "--unshare-ipc", "--disable-userns");
            }
        }
    }

    private static SandboxPolicy host(SandboxPolicy policy, boolean unsharePid) {
        return policy.with(new ViewMode.HostReadonly(true, true, unsharePid, List.of(), List.of()));
    }

    @Test
    void theHostsProcessesAreShownReadOnlyOrNotAtAll() {
        for (Identity identity : List.of(ORDINARY, DEDICATED)) {
            for (SandboxPolicy policy :
                    List.of(SandboxPolicy.DEFAULT, everythingOtherThanTheDefault())) {
                assertThat(options(host(policy, false), identity, false, true).words())
                        .containsSubsequence("--bind", "/", "/", "--ro-bind", "/proc", "/proc")
                        .doesNotContain("--proc")
                        .contains("--unshare-pid", "--unshare-ipc", "--disable-userns");
                assertThat(options(host(policy, true), identity, false, true).words())
                        .containsSubsequence("--bind", "/", "/", "--proc", "/proc")
                        .doesNotContain("--ro-bind")
                        .contains("--unshare-pid");
            }
        }
    }

    @Test
    void whereTheHostsUsersAreSeenNobodyHasTheNumberOfAnother() {
        assertThat(options(host(SandboxPolicy.DEFAULT, false), DEDICATED, false, true).words())
                .containsSubsequence("--uid", "60919", "--gid", "60919");
        assertThat(options(SandboxPolicy.DEFAULT, DEDICATED, false, true).words())
                .containsSubsequence("--uid", "1000", "--gid", "1000");
    }

    @Test
    void tmpOfASessionWithTheHostIsNeverMemory() {
        List<String> words =
                options(host(everythingOtherThanTheDefault(), false), ORDINARY, false, false)
                        .words();

        assertThat(words).containsSubsequence("--tmpfs", "/run/carrel-home");
        assertThat(words).doesNotContain("/tmp", "/home/agent");
    }

    @Test
    void joiningAsAnOrdinaryUser() {
        assertThat(
                        CommandOptions.argv(
                                ORDINARY,
                                new Joining(77, true, true),
                                "TOKEN",
                                List.of("make", "a b")))
                .containsExactly(
                        "nsenter",
                        "--preserve-credentials",
                        "-U",
                        "-m",
                        "-n",
                        "-t",
                        "77",
                        "/run/carrel/TOKEN/bwrap",
                        "--args",
                        "8",
                        "--json-status-fd",
                        "7",
                        "--",
                        "make",
                        "a b");
    }

    @Test
    void joiningAsADedicatedUser() {
        assertThat(
                        CommandOptions.argv(
                                DEDICATED, new Joining(77, true, true), "TOKEN", List.of("vi")))
                .startsWith("nsenter", "-U", "-m", "-n", "-t", "77", "/run/carrel/TOKEN/bwrap")
                .endsWith("--", "vi");
    }

    @Test
    void joiningAsADedicatedUserWithFewRights() {
        assertThat(
                        CommandOptions.argv(
                                DEDICATED, new Joining(77, true, false), "TOKEN", List.of("vi")))
                .startsWith(
                        "setpriv",
                        "--reuid=60919",
                        "--regid=60919",
                        "--clear-groups",
                        "nsenter",
                        "--preserve-credentials",
                        "-U")
                .endsWith("--", "vi");
    }

    @Test
    void whatMayBeMissingIsStartedByAShellThatTakesTheTerminal() {
        assertThat(CommandOptions.throughShell(false, List.of(), List.of("make", "a b")))
                .containsExactly("/bin/sh", "-c", "exec \"$@\"", "sh", "make", "a b");
        assertThat(CommandOptions.throughShell(true, List.of(), List.of("vi")))
                .containsExactly(
                        "/usr/bin/setsid", "-c", "/bin/sh", "-c", "exec \"$@\"", "sh", "vi");
    }

    @Test
    void aTerminalGetsItsSignalsBackWhereTheCallerIgnoresThem() {
        List<String> ignored = List.of("INT", "QUIT");

        assertThat(CommandOptions.throughShell(true, ignored, List.of("vi")))
                .startsWith("/usr/bin/env", "--default-signal=INT,QUIT", "/usr/bin/setsid", "-c");
        assertThat(CommandOptions.throughShell(false, ignored, List.of("make")))
                .doesNotContain("/usr/bin/env");
    }

    @Test
    void optionsAreWordsThatEndWithANulByte() {
        assertThat(new Options(List.of("--setenv", "É", "")).fileContent())
                .isEqualTo("--setenv\0É\0\0".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> new Options(List.of("a\0b")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
