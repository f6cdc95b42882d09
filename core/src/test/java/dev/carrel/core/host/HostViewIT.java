package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The view as bubblewrap makes it. */
final class HostViewIT {

    // Not below /tmp, which is the sandbox's own inside.
    private Path home = Path.of("/");

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createTempDirectory(Path.of("/var/tmp"), "carrel-home-");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void removeHome() {
        Trees.delete(Path.of("/var/tmp"), home.getFileName().toString());
    }

    @Test
    void toolsOfTheHomeRunInsideAndSecretsAreNotThere() throws IOException, InterruptedException {
        program(".cargo/bin/cargo", "echo cargo runs in $RUSTUP_HOME");
        program(".rustup/toolchains/stable/bin/cargo", "true");
        Files.writeString(home.resolve(".cargo/credentials.toml"), "token");
        program("bin/mine", "echo mine runs");

        String seen =
                inside(
                        "cargo && mine && ls -A "
                                + home
                                + " "
                                + home
                                + "/.cargo && touch "
                                + home
                                + "/.cargo/bin/x");

        assertThat(seen)
                .contains("cargo runs in " + home + "/.rustup")
                .contains("mine runs")
                .doesNotContain("credentials.toml");
        assertThat(home.resolve(".cargo/bin/x")).doesNotExist();
    }

    @Test
    void systemToolsRunInsideAndAccountsAreNotThere() throws InterruptedException {
        String seen =
                inside(
                        "git --version; ls /etc; cat /etc/shadow /etc/passwd; readlink -f /bin/sh;"
                                + " test -r /etc/ssl/certs && echo certificates");

        assertThat(seen).contains("git version").contains("/usr/bin/");
        assertThat(seen.lines())
                .contains("ld.so.cache")
                .doesNotContain("shadow", "passwd", "hosts", "ssh", "sudoers", "machine-id");
        if (Files.isReadable(Path.of("/etc/ssl/certs"))) {
            assertThat(seen.lines()).contains("certificates");
        }
    }

    private String inside(String script) throws InterruptedException {
        Path bwrap = Requirements.bwrap();
        Caller me = Caller.current();
        String path = home + "/.cargo/bin:" + home + "/bin:/usr/bin";
        Caller caller = new Caller(me.uid(), me.gid(), me.userName(), home, Map.of("PATH", path));
        Identity identity = Identities.forRepositories(List.of(), caller);
        ToolchainView view =
                new HostView(caller, identity, new LiveFiles())
                        .view(List.of(), home.resolve(".carrel"), List.of());
        assertThat(view.notices()).isEmpty();

        List<String> argv = new ArrayList<>(ScratchSandbox.prefix(Optional.of(identity)));
        argv.addAll(List.of(bwrap.toString(), "--unshare-all", "--clearenv", "--dev", "/dev"));
        view.mounts().forEach(mount -> argv.addAll(options(mount)));
        argv.addAll(List.of("--setenv", "PATH", view.pathVariable()));
        view.variables().forEach((name, value) -> argv.addAll(List.of("--setenv", name, value)));
        argv.addAll(List.of("--", "/bin/sh", "-c", script));
        ProcessResult result = new HostProcessRunner().run(Command.of(argv));
        return result.outputText() + result.errorText();
    }

    private static List<String> options(Mount mount) {
        String target = mount.target().toString();
        return switch (mount) {
            case Mount.ReadOnly shown -> List.of("--ro-bind", shown.source().toString(), target);
            case Mount.Link link -> List.of("--symlink", link.text(), target);
            case Mount.EmptyDirectory _ -> List.of("--perms", "0755", "--dir", target);
            case Mount.Writable _, Mount.Tmpfs _, Mount.Device _, Mount.Sealed _, Mount.Overlay _ ->
                    throw new AssertionError("unexpected " + mount);
        };
    }

    private void program(String name, String script) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
