package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DoctorIT {

    @TempDir private Path folder = Path.of("/");

    @BeforeEach
    void letEverybodyEnter() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void everythingThatASessionNeedsWorksHere() throws InterruptedException {
        Path bwrap = Requirements.bwrap();

        List<Check> checks = examine(bwrap, folder.resolve("state"), new HostProcessRunner());

        assertThat(checks).filteredOn(check -> check.outcome() == Check.Outcome.FAIL).isEmpty();
        assertThat(Doctor.canRun(checks)).isTrue();
        assertThat(checks)
                .extracting(Check::name)
                .contains("overlay", "overlay in use", "joining a sandbox", "system call filter");
        assertThat(folder.toFile().list()).isEmpty();
    }

    @Test
    void aMissingBwrapIsACheckWithACure() throws InterruptedException {
        List<Check> checks =
                examine(folder.resolve("none"), folder.resolve("state"), new HostProcessRunner());

        assertThat(Doctor.canRun(checks)).isFalse();
        Check bwrap = only(checks, "bwrap");
        assertThat(bwrap.outcome()).isEqualTo(Check.Outcome.FAIL);
        assertThat(bwrap.fix()).isPresent();
    }

    @Test
    @Tag("NS-13")
    void saysThatUserNamespacesAreOff() throws InterruptedException {
        Path bwrap = Requirements.bwrap();

        List<Check> checks = examine(bwrap, folder.resolve("state"), new NoUserNamespaces());

        assertThat(Doctor.canRun(checks)).isFalse();
        assertThat(only(checks, "namespaces").found())
                .contains("/proc/sys/user/max_user_namespaces is 0");
    }

    @Test
    void refusesAStateDirectoryThatOthersCanChange() throws IOException, InterruptedException {
        Path state = Files.createDirectory(folder.resolve("state"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));

        Check check =
                only(
                        examine(folder.resolve("none"), state, new HostProcessRunner()),
                        "state directory");

        assertThat(check.outcome()).isEqualTo(Check.Outcome.FAIL);
        assertThat(check.fix()).hasValueSatisfying(fix -> assertThat(fix).contains("chmod go-w"));
    }

    @Test
    @Tag("NS-13")
    void neverSuggestsAnAppArmorProfileNamedAsTheDistributions() {
        assertThat(UserNamespaces.appArmorCure(Path.of("/usr/bin/bwrap")))
                .contains("bwrap-userns-restrict")
                .doesNotContain("profile ");
        assertThat(UserNamespaces.appArmorCure(Path.of("/usr/local/lib/carrel/libexec/bwrap")))
                .contains("profile carrel-bwrap \"/usr/local/lib/carrel/libexec/bwrap\"")
                .doesNotContain("profile bwrap")
                .doesNotContain("apparmor.d/bwrap");
    }

    private static List<Check> examine(Path bwrap, Path state, ProcessRunner runner)
            throws InterruptedException {
        Caller me = Caller.current();
        Map<String, String> environment = new HashMap<>(me.environment());
        environment.put(Bwraps.VARIABLE, bwrap.toString());
        Caller caller = new Caller(me.uid(), me.gid(), me.userName(), me.home(), environment);
        return new Doctor(caller, Optional.empty(), state, runner).examine();
    }

    private static Check only(List<Check> checks, String name) {
        return checks.stream().filter(check -> check.name().equals(name)).findFirst().orElseThrow();
    }
}
