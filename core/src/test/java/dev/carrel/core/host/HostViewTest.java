package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostViewTest {

    private static final Path STATE = Path.of("/home/alice/.carrel/workspaces");
    private static final String HOME = "/home/alice/";

    private final InventedFiles files =
            InventedFiles.system()
                    .folder("/home/alice", 1000, 0755)
                    .folder("/home/alice/.carrel/workspaces", 1000, 0700)
                    .folder("/home/alice/.ssh", 1000, 0700)
                    .folder("/home/alice/src/app/bin", 1000, 0755);

    @Test
    void showsTheSystemAsItIsOnTheHost() {
        files.folder("/nix/store").link("/lib64", "usr/lib64").folder("/usr/lib64");

        assertThat(view("/usr/bin").mounts())
                .contains(
                        readOnly("/usr", "/usr"),
                        new Mount.Link("usr/bin", SandboxPath.of("/bin")),
                        new Mount.Link("usr/lib64", SandboxPath.of("/lib64")),
                        readOnly("/opt", "/opt"),
                        readOnly("/nix/store", "/nix/store"));
    }

    @Test
    void bindsRealFoldersWhereTheSystemIsNotMerged() {
        files.folder("/bin");

        assertThat(view("/usr/bin").mounts()).contains(readOnly("/bin", "/bin"));
    }

    @Test
    void showsOnlyThoseFilesOfEtcThatHoldNoSecrets() {
        List.of(
                        "ld.so.cache",
                        "ssl/certs/ca.pem",
                        "ssl/private/key.pem",
                        "shadow",
                        "ssh/key",
                        "sudoers",
                        "machine-id",
                        "environment",
                        "gitconfig",
                        "npmrc",
                        "pip.conf",
                        "java-21-openjdk/security/java.security",
                        "python3.13/x",
                        "hosts",
                        "maven/settings.xml",
                        "maven/m2.conf",
                        "apt/auth.conf")
                .forEach(name -> files.text("/etc/" + name, "x"));
        files.link("/etc/os-release", "../usr/lib/os-release").text("/usr/lib/os-release", "x");

        ToolchainView view = view("/usr/bin");

        assertThat(view.mounts())
                .contains(
                        new Mount.EmptyDirectory(SandboxPath.of("/etc"), 0755),
                        new Mount.Link("../usr/lib/os-release", SandboxPath.of("/etc/os-release")));
        assertThat(targets(view).stream().filter(path -> path.startsWith("/etc")).toList())
                .containsExactlyInAnyOrder(
                        "/etc",
                        "/etc/ld.so.cache",
                        "/etc/ssl",
                        "/etc/ssl/certs",
                        "/etc/os-release",
                        "/etc/java-21-openjdk",
                        "/etc/python3.13",
                        "/etc/maven",
                        "/etc/maven/m2.conf");
    }

    @Test
    void showsProgramFoldersOfAToolManagerAndNeverItsCredentials() {
        files.folder(HOME + ".cargo/bin", 1000, 0755)
                .file(HOME + ".cargo/credentials.toml", 1000, 0600)
                .folder(HOME + ".rustup/toolchains", 1000, 0755)
                .file(HOME + ".rustup/settings.toml", 1000, 0644)
                .folder(HOME + ".rustup/downloads", 1000, 0755);

        ToolchainView view = view(HOME + ".cargo/bin:/usr/bin");

        assertThat(homeTargets(view))
                .containsExactlyInAnyOrder(
                        HOME + ".cargo/bin",
                        HOME + ".rustup/toolchains",
                        HOME + ".rustup/settings.toml");
        assertThat(view.path().getFirst()).isEqualTo(Path.of(HOME + ".cargo/bin"));
        assertThat(view.variables()).containsEntry("RUSTUP_HOME", HOME + ".rustup");
        assertThat(view.variables()).doesNotContainKey("CARGO_HOME");
    }

    @Test
    void keepsTheCallersOrderAndAddsTheUsualFolders() {
        files.folder(HOME + ".nvm/versions/node/v22/bin", 1000, 0755)
                .folder(HOME + "bin", 1000, 0755);

        ToolchainView view =
                view(HOME + "bin:/usr/bin:" + HOME + ".nvm/versions/node/v22/bin:/missing");

        assertThat(view.pathVariable())
                .isEqualTo(
                        HOME
                                + "bin:/usr/bin:"
                                + HOME
                                + ".nvm/versions/node/v22/bin:/usr/local/bin:/usr/sbin:/sbin:/bin");
        assertThat(homeTargets(view)).contains(HOME + ".nvm/versions", HOME + "bin");
    }

    @Test
    void usesTheRealFolderWhereAPathEntryIsALinkThatTheSandboxLacks() {
        files.folder(HOME + ".local/share/fnm/node-versions/v22/installation/bin", 1000, 0755)
                .link(
                        "/run/user/1000/fnm/bin",
                        HOME + ".local/share/fnm/node-versions/v22/installation/bin");

        assertThat(view("/run/user/1000/fnm/bin").path().getFirst())
                .isEqualTo(Path.of(HOME + ".local/share/fnm/node-versions/v22/installation/bin"));
    }

    @Test
    void showsAPackageManagersProfileAtItsOwnPlace() {
        files.folder("/nix/store/abc-profile/bin")
                .link(HOME + ".nix-profile", "/nix/store/abc-profile");

        ToolchainView view = view(HOME + ".nix-profile/bin");

        assertThat(view.mounts())
                .contains(readOnly("/nix/store/abc-profile/bin", HOME + ".nix-profile/bin"));
        assertThat(view.path()).contains(Path.of(HOME + ".nix-profile/bin"));
    }

    @Test
    void recognisesAnUnpackedSdkAndLeavesItsSettingsOut() {
        files.folder(HOME + "jdk/bin", 1000, 0755).text(HOME + "jdk/lib/modules", "x");
        files.folder(HOME + "mvn/bin", 1000, 0755)
                .text(HOME + "mvn/bin/m2.conf", "x")
                .folder(HOME + "mvn/lib", 1000, 0755)
                .text(HOME + "mvn/conf/settings.xml", "x");

        ToolchainView view = view(HOME + "mvn/bin", Map.of("JAVA_HOME", HOME + "jdk"));

        assertThat(homeTargets(view))
                .containsExactlyInAnyOrder(
                        HOME + "jdk/bin", HOME + "jdk/lib", HOME + "mvn/bin", HOME + "mvn/lib");
        assertThat(view.path()).doesNotContain(Path.of(HOME + "jdk/bin"));
    }

    @Test
    void tellsJavaHomeWhereItIsVisible() {
        files.folder("/usr/lib/jvm/jdk-25/bin");

        assertThat(view("/usr/bin", Map.of("JAVA_HOME", "/usr/lib/jvm/jdk-25")).variables())
                .containsEntry("JAVA_HOME", "/usr/lib/jvm/jdk-25");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/home/alice", // the home itself
                "/home",
                "/home/alice/.ssh",
                "/home/alice/leak", // a link to .ssh
                "/home/alice/.config", // would contain secrets
                "/home/alice/.aws/bin",
                "/home/alice/open", // writable by everybody
                "/home/alice/src/app/bin", // the repository
                "/home/alice/src", // contains the repository
                "/home/alice/.carrel/workspaces",
                "/home/alice/out", // a link to /var/secret
                "/var/secret",
                "/tmp/bin"
            })
    void neverShowsWhatPathNamesByMistakeOrMalice(String entry) {
        files.link(HOME + "leak", ".ssh")
                .folder(HOME + ".config/gcloud", 1000, 0700)
                .folder(HOME + ".aws/bin", 1000, 0755)
                .folder(HOME + "open", 1000, 0777)
                .folder("/var/secret")
                .folder("/tmp/bin")
                .link(HOME + "out", "/var/secret");

        ToolchainView view = view(entry + ":/usr/bin");

        assertThat(view.path().getFirst()).isEqualTo(Path.of("/usr/bin"));
        assertThat(homeTargets(view)).isEmpty();
        assertThat(view.notices()).hasSize(1).first().asString().contains("is not shown: ");
    }

    @Test
    void showsAnotherUserOnlyWhatThatUserCanReach() {
        files.folder("/root", 0, 0700).folder("/root/.cargo/bin");
        Caller root =
                new Caller(
                        0,
                        0,
                        "root",
                        Path.of("/root"),
                        Map.of("PATH", "/root/.cargo/bin:/usr/bin"));

        ToolchainView view =
                new HostView(root, new Identity(60919, 60919, true), files)
                        .view(List.of(), Path.of("/var/lib/carrel"), List.of());

        assertThat(view.path().getFirst()).isEqualTo(Path.of("/usr/bin"));
        assertThat(view.notices())
                .containsExactly(
                        "'/root/.cargo' is not shown: uid 60919 may not enter '/root' (mode 0700,"
                                + " owner 0)");
    }

    @Test
    void showsExtraPathsAndResolvesLinksAtTheGivenPlace() {
        files.folder("/srv/tools/v2").link("/srv/current", "tools/v2");

        ToolchainView view = extra("/srv/current");

        assertThat(view.mounts())
                .contains(
                        new Mount.EmptyDirectory(SandboxPath.of("/srv"), 0755),
                        readOnly("/srv/tools/v2", "/srv/current"));
    }

    @Test
    void anExtraFolderOnPathIsUsed() {
        files.folder("/srv/tools/bin");

        ToolchainView view =
                new HostView(caller("/srv/tools/bin", Map.of()), me(), files)
                        .view(List.of(Path.of("/srv/tools")), STATE, List.of());

        assertThat(view.path().getFirst()).isEqualTo(Path.of("/srv/tools/bin"));
        assertThat(view.notices()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/missing",
                "/home/alice/.carrel",
                "/home/alice/.carrel/workspaces/sessions",
                "/home/alice",
                "/way-in",
                "/etc",
                "/proc/sys",
                "/run",
                "/tmp/x",
                "/workspace",
                "/srv/socket",
                "/srv/proc"
            })
    void refusesExtraPathsThatMustNotBeSeen(String path) {
        files.folder("/home/alice/.carrel/workspaces/sessions")
                .link("/way-in", "/home/alice/.carrel/workspaces")
                .folder("/proc/sys")
                .folder("/run")
                .folder("/tmp/x")
                .folder("/workspace")
                .special("/srv/socket")
                .link("/srv/proc", "/proc");

        assertThatThrownBy(() -> extra(path))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("sandbox.extra_read_only: '" + path + "'");
    }

    @Test
    void namesAllWrongExtraPathsAtOnce() {
        assertThatThrownBy(() ->
                        new HostView(caller("/usr/bin", Map.of()), me(), files)
                                .view(List.of(Path.of("/a"), Path.of("/b")), STATE, List.of()))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        failure -> assertThat(failure.problems()).hasSize(2));
    }

    @Test
    void explainsAProgramThatOnlyTheHostHas() {
        files.folder("/srv/tools/bin")
                .program("/srv/real/tool")
                .link("/srv/tools/bin/tool", "/srv/real/tool");
        Caller caller = caller("/srv/tools/bin:/usr/bin", Map.of());
        ToolchainView view = new HostView(caller, me(), files).view(List.of(), STATE, List.of());
        files.program("/usr/bin/ls");

        assertThat(CommandNotFound.explain(files, "tool", caller, view, paths -> "show " + paths))
                .contains(
                        "the host has 'tool' at /srv/tools/bin/tool, which the sandbox does not"
                                + " show; show [/srv/tools/bin, /srv/real]");
        assertThat(CommandNotFound.explain(files, "ls", caller, view, Object::toString)).isEmpty();
        assertThat(CommandNotFound.explain(files, "nope", caller, view, Object::toString))
                .isEmpty();
    }

    private ToolchainView extra(String path) {
        return new HostView(caller("/usr/bin", Map.of()), me(), files)
                .view(List.of(Path.of(path)), STATE, List.of());
    }

    private ToolchainView view(String path) {
        return view(path, Map.of());
    }

    private ToolchainView view(String path, Map<String, String> more) {
        return new HostView(caller(path, more), me(), files)
                .view(List.of(), STATE, List.of(Path.of("/home/alice/src/app")));
    }

    private static Caller caller(String path, Map<String, String> more) {
        Map<String, String> environment = new java.util.HashMap<>(more);
        environment.put("PATH", path);
        return new Caller(1000, 1000, "alice", Path.of("/home/alice"), environment);
    }

    private static Identity me() {
        return new Identity(1000, 1000, false);
    }

    private static Mount readOnly(String source, String target) {
        return new Mount.ReadOnly(Path.of(source), SandboxPath.of(target));
    }

    private static List<String> targets(ToolchainView view) {
        return view.mounts().stream().map(mount -> mount.target().toString()).toList();
    }

    private static List<String> homeTargets(ToolchainView view) {
        return view.mounts().stream()
                .filter(Mount.ReadOnly.class::isInstance)
                .map(mount -> mount.target().toString())
                .filter(path -> path.startsWith("/home") || path.startsWith("/var"))
                .toList();
    }
}
