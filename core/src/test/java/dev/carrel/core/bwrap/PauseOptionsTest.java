package dev.carrel.core.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PauseOptionsTest {

    private static final Identity ORDINARY = new Identity(1000, 1000, false);

    private static final Path BWRAP = Path.of("/opt/bwrap");

    private static final List<Mount> VIEW =
            List.of(
                    new Mount.ReadOnly(Path.of("/usr"), SandboxPath.of("/usr")),
                    new Mount.Link("usr/bin", SandboxPath.of("/bin")),
                    new Mount.ReadOnly(Path.of("/etc/passwd"), SandboxPath.of("/etc/passwd")),
                    new Mount.Writable(Path.of("/state/home"), SandboxPath.HOME),
                    new Mount.Writable(Path.of("/state/tmp"), SandboxPath.of("/tmp")),
                    new Mount.Overlay(
                            List.of(Path.of("/state/private"), Path.of("/state/shared")),
                            Path.of("/state/upper"),
                            Path.of("/state/work"),
                            SandboxPath.of("/workspace/repo")));

    @Test
    void aWholeViewIsStagedAndThenReadOnly() throws Exception {
        Golden.assertSame(PauseOptions.of(VIEW, BWRAP, "TOKEN", true).words(), "pause.txt");
    }

    @Test
    void thePauseOutlivesItsStarterAndSharesTheHostsProcessNumbers() {
        assertThat(PauseOptions.of(VIEW, BWRAP, "TOKEN", true).words())
                .doesNotContain("--die-with-parent", "--unshare-pid", "--proc", "--disable-userns");
    }

    @Test
    void optionsTravelInAFileAndTheMarkStandsLast() {
        assertThat(PauseOptions.argv(BWRAP, "TOKEN", true))
                .containsExactly(
                        "/opt/bwrap",
                        "--args",
                        "8",
                        "--info-fd",
                        "7",
                        "--",
                        "/bin/sh",
                        "-c",
                        PauseScript.FIRST,
                        "/run/carrel/TOKEN/pause",
                        "own-network");
    }

    @Test
    void aReplacementEntersWithoutBubblewrapAndWithoutMounting() {
        assertThat(PauseOptions.replacement(ORDINARY, new Joining(77, true, true), "TOKEN"))
                .containsExactly(
                        "nsenter",
                        "--preserve-credentials",
                        "-U",
                        "-m",
                        "-n",
                        "-t",
                        "77",
                        "/bin/sh",
                        "-c",
                        PauseScript.REPLACEMENT,
                        "/run/carrel/TOKEN/pause",
                        "own-network");
        assertThat(PauseScript.REPLACEMENT).doesNotContain("mount ");
        assertThat(PauseScript.FIRST).startsWith("mount --make-rprivate / || exit 1\n");
    }

    @Test
    void onlyADedicatedUserIsSwitchedTo() {
        assertThat(Switching.to(ORDINARY)).isEmpty();
        assertThat(Switching.to(new Identity(60919, 60920, true)))
                .containsExactly("setpriv", "--reuid=60919", "--regid=60920", "--clear-groups");
    }
}
