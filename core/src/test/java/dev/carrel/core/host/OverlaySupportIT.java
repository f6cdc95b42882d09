package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OverlaySupportIT {

    @TempDir private Path folder = Path.of("/");
    private BwrapProgram bwrap = new BwrapProgram(Path.of("/"), "");
    private Identity identity = new Identity(1, 1, false);

    @BeforeEach
    void prepare() throws IOException, InterruptedException {
        Path reachable = Requirements.bwrap();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        BwrapProgram found =
                new Bwraps(
                                Caller.current(),
                                Optional.empty(),
                                Optional.empty(),
                                new HostProcessRunner())
                        .find();
        bwrap = new BwrapProgram(reachable, found.version());
        identity = Identities.forRepositories(List.of(), Caller.current());
    }

    @Test
    void mountsOverSeveralLowersAndLeavesNothingBehind() throws IOException, InterruptedException {
        Path lower = Files.createDirectory(folder.resolve("lower, with: marks"));
        Files.writeString(lower.resolve(".carrel-file"), "mine");
        Path second = Files.createDirectory(folder.resolve("second"));

        support(new HostProcessRunner()).check(folder, List.of(lower, second));

        assertThat(Files.readString(lower.resolve(".carrel-file"))).isEqualTo("mine");
        assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder("lower, with: marks", "second");
    }

    @Test
    void refusesALowerWithAMountBelowIt() throws IOException {
        Path lower = Files.createDirectory(folder.resolve("lower"));
        Files.createDirectory(lower.resolve("inner"));
        ProcessRunner mounted =
                new Inside("mount -t tmpfs none " + lower.resolve("inner") + " && exec \"$@\"");

        // The positive control: the same place without the mount.
        assertThatCode(() -> plain(new Inside("exec \"$@\"")).check(folder, List.of(lower)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> plain(mounted).check(folder, List.of(lower)))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("an overlay cannot be mounted in");
        assertThat(folder.toFile().list()).containsExactly("lower");
    }

    @Test
    void theKernelTellsWhetherAnOverlayIsInUse() throws InterruptedException {
        support(new HostProcessRunner()).checkBusyProbe(folder);

        assertThat(folder.toFile().list()).isEmpty();
    }

    @Test
    void explainsAFailedStartByItsCause() throws InterruptedException {
        assertThat(
                        StartFailure.explain(
                                bwrap, identity, new HostProcessRunner(), folder, List.of()))
                .isEmpty();
        assertThat(
                        StartFailure.explain(
                                bwrap,
                                new Identity(1, 1, false),
                                new NoUserNamespaces(),
                                folder,
                                List.of()))
                .hasValueSatisfying(why ->
                        assertThat(why.message())
                                .contains("/proc/sys/user/max_user_namespaces is 0"));
    }

    private OverlaySupport support(ProcessRunner runner) {
        return new OverlaySupport(bwrap, identity, runner);
    }

    /** Runs inside a user namespace that maps one user only, so nobody is switched to. */
    private OverlaySupport plain(ProcessRunner runner) {
        return new OverlaySupport(bwrap, new Identity(1, 1, false), runner);
    }

    /** Starts everything in mount and user namespaces of its own, prepared by a script. */
    private record Inside(String script) implements ProcessRunner {
        @Override
        public RunningProcess start(Command command) {
            List<String> argv = new ArrayList<>(List.of("/usr/bin/unshare", "-U", "-r", "-m"));
            argv.addAll(List.of("/bin/sh", "-c", script, "sh"));
            argv.addAll(command.argv());
            return new HostProcessRunner()
                    .start(Command.of(argv).withEnvironment(Command.BARE_ENVIRONMENT));
        }
    }
}
