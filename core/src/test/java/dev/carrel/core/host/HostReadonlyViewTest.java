package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.host.HostReadonlyView.Hiding;
import dev.carrel.core.host.HostReadonlyView.Nothing;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.ViewMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is hidden of an invented host. */
class HostReadonlyViewTest {

    private static final ViewMode.HostReadonly DEFAULT = ViewMode.HostReadonly.DEFAULT;
    private static final Path STATE = Path.of("/home/alice/.carrel/workspaces");
    private static final Nothing NOTHING =
            new Nothing(Path.of("/nothing/directory"), Path.of("/nothing/file"));

    private final InventedFiles files =
            InventedFiles.system()
                    .folder("/home/alice", 1000, 0755)
                    .file("/home/alice/notes", 1000, 0644)
                    .folder("/home/alice/src/app", 1000, 0755)
                    .folder("/home/alice/.carrel/workspaces", 1000, 0700);

    private Map<String, String> environment = Map.of();
    private Path launch = Path.of("/srv");
    private Set<Path> unreachable = Set.of();
    private Set<Path> unlistable = Set.of();

    private HostReadonlyView view(ViewMode.HostReadonly mode) {
        files.folder("/srv").folder("/tmp").folder("/run");
        Access access =
                new Access() {
                    @Override
                    public boolean enters(Path directory) {
                        return unreachable.stream().noneMatch(directory::startsWith);
                    }

                    @Override
                    public boolean lists(Path directory) {
                        return enters(directory) && !unlistable.contains(directory);
                    }
                };
        Caller alice = new Caller(1000, 1000, "alice", Path.of("/home/alice"), environment);
        return new HostReadonlyView(alice, files, access, mode, launch, STATE);
    }

    private Hiding hiding(ViewMode.HostReadonly mode) {
        return view(mode).hiding(NOTHING, List.of());
    }

    /** The places that are left out of their folder or covered, by what is shown of them. */
    private boolean hides(Hiding hiding, String text) {
        Path path = Path.of(text);
        List<Mount> all = new ArrayList<>(List.of(whole()));
        all.addAll(hiding.early());
        all.addAll(hiding.late());
        Mount top = all.getFirst();
        for (Mount mount : all) {
            boolean counts = !(mount instanceof Mount.Sealed);
            if (counts && path.startsWith(mount.target().path())) {
                top = mount;
            }
        }
        return switch (top) {
            case Mount.ReadOnly(Path source, var target) -> !source.equals(target.path());
            case Mount.Tmpfs _, Mount.EmptyDirectory _ -> true;
            case Mount.Link _ -> false;
            case Mount.Writable _, Mount.Device _, Mount.Overlay _, Mount.Sealed _ ->
                    throw new AssertionError("unexpected " + top);
        };
    }

    private static Mount whole() {
        return new Mount.ReadOnly(Path.of("/"), new SandboxPath(Path.of("/")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".ssh/id_ed25519",
                ".gnupg/private-keys-v1.d/key",
                ".aws/credentials",
                ".config/gcloud/credentials.db",
                ".azure/tokens",
                ".kube/config",
                ".docker/config.json",
                ".netrc",
                ".git-credentials",
                ".npmrc",
                ".pypirc",
                ".mozilla/firefox/logins.json",
                ".config/google-chrome/Default/Cookies",
                ".password-store/mail.gpg",
                ".local/share/keyrings/login.keyring",
                ".bash_history",
                ".zsh_history",
                ".local/share/fish/fish_history",
                ".python_history",
                ".claude/.credentials.json",
                ".codex/auth.json",
                ".gemini/oauth_creds.json",
                ".config/opencode/config",
                ".config/gh/hosts.yml",
                ".carrel/workspaces/sessions/x/session.json",
                ".Xauthority",
                ".cargo/credentials.toml",
                ".m2/settings.xml"
            })
    void secretsOfAHomeAreHiddenAndTheRestIsNot(String secret) {
        files.file("/home/alice/" + secret, 1000, 0600)
                .file("/home/alice/.config/htop/htoprc", 1000, 0644)
                .file("/home/alice/.m2/repository/x", 1000, 0644);

        Hiding hiding = hiding(DEFAULT);

        assertThat(hides(hiding, "/home/alice/" + secret)).isTrue();
        for (String shown :
                List.of("notes", "src/app", ".config/htop/htoprc", ".m2/repository/x")) {
            assertThat(hides(hiding, "/home/alice/" + shown)).as(shown).isFalse();
        }
    }

    @Test
    void homesOfOthersAndOfRootAreTreatedAlike() {
        files.folder("/home/bob", 1001, 0755)
                .file("/home/bob/.netrc", 1001, 0644)
                .file("/home/guest/.ssh/id", 1001, 0644)
                .file("/root/.bash_history", 0, 0644);

        Hiding hiding = hiding(DEFAULT);

        for (String secret :
                List.of("/home/bob/.netrc", "/home/guest/.ssh/id", "/root/.bash_history")) {
            assertThat(hides(hiding, secret)).as(secret).isTrue();
        }
    }

    @Test
    void nothingIsMountedWhereTheSandboxMayNotGo() {
        files.file("/root/.bash_history", 0, 0600).folder("/root/data");
        unreachable = Set.of(Path.of("/root"));

        assertThat(hiding(DEFAULT).early())
                .noneMatch(mount -> mount.target().path().startsWith("/root"));
        assertThat(hiding(DEFAULT).late())
                .noneMatch(mount -> mount.target().path().startsWith("/root"));
    }

    @Test
    void aDirectoryThatCannotBeListedIsHiddenWholeForTheSecretsInIt() {
        files.folder("/home/bob", 1001, 0711)
                .file("/home/bob/.netrc", 1001, 0644)
                .file("/home/bob/public/page", 1001, 0644)
                .folder("/data/mine", 1001, 0711);
        unlistable = Set.of(Path.of("/home/bob"), Path.of("/data/mine"));

        assertThat(hides(hiding(DEFAULT), "/home/bob/public/page")).isTrue();
        assertThat(hides(hiding(DEFAULT), "/data/mine/x")).isFalse();
        launch = Path.of("/home/bob/public");
        assertThatThrownBy(() -> view(DEFAULT).requireLaunchable())
                .hasMessageContaining("or a directory above it");
    }

    @Test
    void aSecretThatIsALinkHidesWhatItLeadsTo() {
        files.link("/home/alice/.ssh", "../../data/keys")
                .file("/data/keys/id", 1000, 0600)
                .link("/home/alice/.config", "dotfiles/config")
                .file("/home/alice/dotfiles/config/gh/hosts.yml", 1000, 0600)
                .file("/home/alice/dotfiles/config/vim", 1000, 0600);

        Hiding hiding = hiding(DEFAULT);

        assertThat(hides(hiding, "/data/keys/id")).isTrue();
        assertThat(hides(hiding, "/home/alice/.ssh")).isTrue();
        assertThat(hides(hiding, "/home/alice/dotfiles/config/gh/hosts.yml")).isTrue();
        assertThat(hides(hiding, "/home/alice/dotfiles/config/vim")).isFalse();
    }

    @Test
    void aFileSystemThatIsMountedTwiceHidesThemInBothPlaces() {
        files.file("/home/alice/.ssh/id", 1000, 0600)
                .file("/mnt/all/home/alice/.ssh/id", 1000, 0600)
                .file("/mnt/homes/alice/.ssh/id", 1000, 0600)
                .text(
                        "/proc/self/mountinfo",
                        "20 1 8:1 / / rw - ext4 /dev/a rw",
                        "21 20 8:1 / /mnt/all rw - ext4 /dev/a rw",
                        "22 20 8:1 /home /mnt/homes rw - ext4 /dev/a rw");

        Hiding hiding = hiding(DEFAULT);

        assertThat(hides(hiding, "/mnt/all/home/alice/.ssh/id")).isTrue();
        assertThat(hides(hiding, "/mnt/homes/alice/.ssh/id")).isTrue();
    }

    @Test
    void settingsAddAndTakeAway() {
        files.file("/home/alice/.config/gcloud/x", 1000, 0600)
                .file("/home/alice/.netrc", 1000, 0600)
                .file("/home/alice/mail/inbox", 1000, 0600)
                .file("/data/customers/list", 1000, 0600);
        var mode =
                new ViewMode.HostReadonly(
                        true,
                        true,
                        false,
                        List.of("~/mail", "/data/customers"),
                        List.of("~/.config/gcloud", "~/.netrc"));

        Hiding hiding = hiding(mode);

        assertThat(hides(hiding, "/home/alice/mail/inbox")).isTrue();
        assertThat(hides(hiding, "/data/customers/list")).isTrue();
        assertThat(hides(hiding, "/home/alice/.config/gcloud/x")).isFalse();
        assertThat(hides(hiding, "/home/alice/.netrc")).isFalse();
        assertThat(view(mode).warnings()).isEmpty();
    }

    @Test
    void settingsThatDoNothingAreToldAndCarrelsStateIsNeverShown() {
        var mode =
                new ViewMode.HostReadonly(
                        true, true, false, List.of("/nowhere"), List.of("/srv/x", "~/.carrel"));

        assertThat(view(mode).warnings())
                .containsExactly(
                        "host_readonly.mask: '/nowhere' hides nothing: it does not exist",
                        "host_readonly.unmask: '/srv/x' shows nothing more: no place that is"
                                + " hidden by default is called so");
        assertThat(hides(hiding(mode), STATE.resolve("sessions").toString())).isTrue();
    }

    @Test
    @Tag("US-01")
    @Tag("US-02")
    @Tag("US-03")
    @Tag("US-05")
    void servicesAreHiddenWhereverTheyListen() {
        environment =
                Map.of(
                        "SSH_AUTH_SOCK", "/tmp/ssh-abc/agent.1",
                        "DBUS_SESSION_BUS_ADDRESS", "unix:path=/var/bus/session,guid=1",
                        "TMUX", "/var/tmux/default,12,0",
                        "DOCKER_HOST", "unix:///var/docker/docker.sock",
                        "AWS_SHARED_CREDENTIALS_FILE", "/data/aws");
        for (String socket :
                List.of(
                        "/tmp/ssh-abc/agent.1",
                        "/tmp/.X11-unix/X0",
                        "/tmp/.ICE-unix/9",
                        "/tmp/tmux-1000/default",
                        "/var/bus/session",
                        "/var/tmux/default",
                        "/var/docker/docker.sock",
                        "/var/lib/lxd/unix.socket",
                        "/data/app/listening",
                        "/run/docker.sock")) {
            files.special(socket);
        }
        files.file("/tmp/other", 0, 0644)
                .file("/data/aws", 1000, 0600)
                .text(
                        "/proc/net/unix",
                        "Num RefCount Protocol Flags Type St Inode Path",
                        "0: 2 0 00010000 0001 01 20 /data/app/listening",
                        "0: 2 0 00010000 0001 01 21 @/tmp/abstract",
                        "0: 2 0 00010000 0001 01 22 /data/app/gone",
                        "0: 3 0 00000000 0001 03 23");

        Hiding hiding = hiding(DEFAULT);

        for (String hidden :
                List.of(
                        "/tmp/host/ssh-abc/agent.1",
                        "/tmp/host/.X11-unix/X0",
                        "/tmp/host/.ICE-unix/9",
                        "/tmp/host/tmux-1000/default",
                        "/var/bus/session",
                        "/var/tmux/default",
                        "/var/docker/docker.sock",
                        "/var/lib/lxd/unix.socket",
                        "/data/app/listening",
                        "/data/aws",
                        "/run/docker.sock")) {
            assertThat(hides(hiding, hidden)).as(hidden).isTrue();
        }
        assertThat(hides(hiding, "/tmp/host/other")).isFalse();
    }

    @Test
    void namedPipesThatSomebodyHasOpenAreHidden() {
        files.special("/var/lib/monitor/commands")
                .file("/var/log/open", 0, 0644)
                .link("/proc/7/fd/3", "/var/lib/monitor/commands")
                .link("/proc/7/fd/4", "/var/log/open")
                .link("/proc/7/fd/5", "socket:[12]");

        Hiding hiding = hiding(DEFAULT);

        assertThat(hides(hiding, "/var/lib/monitor/commands")).isTrue();
        assertThat(hides(hiding, "/var/log/open")).isFalse();
    }

    @Test
    @Tag("US-01")
    void ofRunOnlyWhatPeopleReadIsLeft() {
        files.file("/run/log/journal/x", 0, 0644)
                .file("/run/utmp", 0, 0644)
                .file("/run/systemd/resolve/stub-resolv.conf", 0, 0644)
                .special("/run/systemd/resolve/io.systemd.Resolve")
                .special("/run/systemd/private")
                .file("/run/secrets/token", 0, 0644);

        Hiding hiding = hiding(DEFAULT);

        for (String shown :
                List.of(
                        "/run/log/journal/x",
                        "/run/utmp",
                        "/run/systemd/resolve/stub-resolv.conf")) {
            assertThat(hides(hiding, shown)).as(shown).isFalse();
        }
        for (String hidden :
                List.of(
                        "/run/systemd/resolve/io.systemd.Resolve",
                        "/run/systemd/private",
                        "/run/secrets/token")) {
            assertThat(hides(hiding, hidden)).as(hidden).isTrue();
        }
    }

    @Test
    void withoutTheHostsTmpNothingOfItIsMounted() {
        files.special("/tmp/.X11-unix/X0");
        var mode = new ViewMode.HostReadonly(true, false, false, List.of(), List.of());

        assertThat(hiding(mode).late())
                .noneMatch(mount -> mount.target().path().startsWith("/tmp"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "/home/alice,Carrel keeps its sessions in it",
                "/,Carrel keeps its sessions in it",
                "/tmp,/tmp is the session's own",
                "/proc,the kernel makes its files",
                "/data,'/data/disk' is mounted in it"
            })
    void aDirectoryThatCannotBeWritableIsRefusedWithTheReason(String directory, String why) {
        files.folder("/proc").folder("/data/disk");
        files.text(
                "/proc/self/mountinfo",
                "20 1 8:1 / / rw - ext4 /dev/a rw",
                "21 20 8:2 / /data/disk rw - ext4 /dev/b rw");
        launch = Path.of(directory);

        assertThatThrownBy(() -> view(DEFAULT).requireLaunchable())
                .isInstanceOf(CarrelException.class)
                .hasMessageContaining(why);
        view(new ViewMode.HostReadonly(false, true, false, List.of(), List.of()))
                .requireLaunchable();
    }

    @Test
    void aDirectoryThatIsHiddenOrCannotBeListedIsRefused() {
        files.folder("/home/alice/.ssh", 1000, 0700);
        launch = Path.of("/home/alice/.ssh");
        assertThatThrownBy(() -> view(DEFAULT).requireLaunchable())
                .hasMessageContaining("it is hidden");

        launch = Path.of("/srv");
        unreachable = Set.of(launch);
        assertThatThrownBy(() -> view(DEFAULT).requireLaunchable())
                .hasMessageContaining("may not list it");
    }

    @Test
    void aDirectoryWithTooManyEntriesHasItsSecretsCovered() {
        for (int i = 0; i <= ShownFolder.MOST_ENTRIES; i++) {
            files.file("/home/alice/file" + i, 1000, 0644);
        }
        files.file("/home/alice/.netrc", 1000, 0600);

        Hiding hiding = hiding(DEFAULT);

        assertThat(hides(hiding, "/home/alice/.netrc")).isTrue();
        assertThat(hides(hiding, "/home/alice/file7")).isFalse();
    }

    @Test
    void inAWritableDirectoryTheyAreCoveredAboveItsLayer() {
        files.file("/home/alice/src/.npmrc", 1000, 0600)
                .file("/home/alice/.config/gh/hosts.yml", 1000, 0600)
                .file("/home/alice/.config/htoprc", 1000, 0600);
        launch = Path.of("/home/alice/.config");

        Hiding hiding = hiding(DEFAULT);

        assertThat(hiding.late())
                .contains(
                        new Mount.ReadOnly(
                                NOTHING.directory(), SandboxPath.of("/home/alice/.config/gh")));
    }
}
