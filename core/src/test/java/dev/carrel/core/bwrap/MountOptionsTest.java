package dev.carrel.core.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountOptionsTest {

    private static final Path SOURCE = Path.of("/source");

    private static List<String> options(Mount... mounts) {
        return MountOptions.of(List.of(mounts));
    }

    private static Mount readOnly(String target) {
        return new Mount.ReadOnly(SOURCE, SandboxPath.of(target));
    }

    @Test
    void theLowestLayerOfAnOverlayComesFirst() {
        assertThat(
                        options(
                                new Mount.Overlay(
                                        List.of(
                                                Path.of("/top"),
                                                Path.of("/middle"),
                                                Path.of("/low")),
                                        Path.of("/upper"),
                                        Path.of("/work"),
                                        SandboxPath.of("/repo"))))
                .containsExactly(
                        "--overlay-src",
                        "/low",
                        "--overlay-src",
                        "/middle",
                        "--overlay-src",
                        "/top",
                        "--overlay",
                        "/upper",
                        "/work",
                        "/repo");
    }

    @Test
    void missingParentsAreMadeOnceAndOpenToAll() {
        assertThat(options(readOnly("/a/b/c"), readOnly("/a/b/d")))
                .containsExactly(
                        "--perms",
                        "0755",
                        "--dir",
                        "/a",
                        "--perms",
                        "0755",
                        "--dir",
                        "/a/b",
                        "--ro-bind",
                        "/source",
                        "/a/b/c",
                        "--ro-bind",
                        "/source",
                        "/a/b/d");
    }

    @Test
    void nothingIsMadeBelowWhatIsMounted() {
        assertThat(options(readOnly("/usr"), readOnly("/usr/local/jdk/lib")))
                .containsExactly(
                        "--ro-bind",
                        "/source",
                        "/usr",
                        "--ro-bind",
                        "/source",
                        "/usr/local/jdk/lib");
    }

    @Test
    void nothingIsMadeBelowADirectoryThatIsBelowWhatIsMounted() {
        assertThat(
                        options(
                                readOnly("/usr"),
                                new Mount.EmptyDirectory(SandboxPath.of("/usr/x"), 0700),
                                readOnly("/usr/x/y/z")))
                .containsExactly(
                        "--ro-bind",
                        "/source",
                        "/usr",
                        "--perms",
                        "0700",
                        "--dir",
                        "/usr/x",
                        "--ro-bind",
                        "/source",
                        "/usr/x/y/z");
    }

    @Test
    void aDirectoryOfItsOwnKeepsItsModeAndIsNoMount() {
        assertThat(
                        options(
                                new Mount.EmptyDirectory(SandboxPath.of("/run"), 0711),
                                readOnly("/run/a/b")))
                .containsExactly(
                        "--perms",
                        "0711",
                        "--dir",
                        "/run",
                        "--perms",
                        "0755",
                        "--dir",
                        "/run/a",
                        "--ro-bind",
                        "/source",
                        "/run/a/b");
    }

    @Test
    void memoryAlwaysHasASizeAndAMode() {
        assertThat(options(new Mount.Tmpfs(SandboxPath.of("/m"), 4096, 01777)))
                .containsExactly("--size", "4096", "--perms", "01777", "--tmpfs", "/m");
    }

    @Test
    void foldersInMemoryAreMadeWhateverItIsMountedOver() {
        assertThat(
                        options(
                                readOnly("/"),
                                new Mount.Tmpfs(SandboxPath.of("/run"), 4096, 0755),
                                readOnly("/run/a/b"),
                                new Mount.Sealed(SandboxPath.of("/run"))))
                .containsExactly(
                        "--ro-bind",
                        "/source",
                        "/",
                        "--size",
                        "4096",
                        "--perms",
                        "0755",
                        "--tmpfs",
                        "/run",
                        "--perms",
                        "0755",
                        "--dir",
                        "/run/a",
                        "--ro-bind",
                        "/source",
                        "/run/a/b",
                        "--remount-ro",
                        "/run");
    }

    @Test
    void linksDevicesAndWritableDirectoriesStandInOrder() {
        assertThat(
                        options(
                                new Mount.Link("usr/bin", SandboxPath.of("/bin")),
                                new Mount.Device(Path.of("/dev/null"), SandboxPath.of("/null")),
                                new Mount.Writable(SOURCE, SandboxPath.of("/w"))))
                .containsExactly(
                        "--symlink",
                        "usr/bin",
                        "/bin",
                        "--dev-bind",
                        "/dev/null",
                        "/null",
                        "--bind",
                        "/source",
                        "/w");
    }
}
