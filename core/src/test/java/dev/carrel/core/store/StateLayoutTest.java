package dev.carrel.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.posix.Identity;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateLayoutTest {

    private static final boolean ROOT = Identity.effectiveUid() == 0;

    @TempDir Path host;
    private Path base = Path.of("/nonexistent");

    @BeforeEach
    void letOthersPass() throws Exception {
        mode(host, "rwx--x--x");
        base = host.resolve("state");
    }

    @Test
    void isForItsOwnerOnlyAndForRootAPassage() throws Exception {
        StateLayout layout = new StateLayout(base);
        layout.create();
        layout.create();

        int expected = ROOT ? 0711 : 0700;
        assertThat(mode(base)).isEqualTo(expected);
        assertThat(mode(layout.sessions())).isEqualTo(expected);
        assertThat(mode(layout.snapshots())).isEqualTo(expected);
        assertThat(mode(layout.createSnapshotsOf("repo"))).isEqualTo(expected);
        assertThat(layout.snapshot("repo", "0123abc"))
                .isEqualTo(base.resolve("snapshots/repo/0123abc"));
    }

    @Test
    void sessionsHaveTheirPlaces() throws Exception {
        Ownership sandbox = ROOT ? new Ownership(12_345, 12_346) : Ownership.ofCaller();
        StateLayout layout = new StateLayout(base);
        layout.create();
        SessionLayout session = layout.session("calm-otter");
        session.createDirectory();
        session.createContents(sandbox);
        session.createLayer("app", 1, sandbox);

        assertThat(session.id()).isEqualTo("calm-otter");
        assertThat(session.exists()).isFalse();
        assertThat(layout.sessionIds()).containsExactly("calm-otter");
        assertThat(mode(session.directory())).isEqualTo(ROOT ? 0711 : 0700);
        assertThat(mode(session.log())).isEqualTo(0700);
        for (Path leaf :
                new Path[] {
                    session.home(),
                    session.tmp(),
                    session.hold(),
                    session.upper("app", 1),
                    session.work("app", 1)
                }) {
            assertThat(mode(leaf)).as(leaf.toString()).isEqualTo(0700);
            assertThat(Files.getAttribute(leaf, "unix:uid")).isEqualTo(sandbox.uid());
            assertThat(Files.getAttribute(leaf, "unix:gid")).isEqualTo(sandbox.gid());
        }
        assertThat(Files.getAttribute(session.log(), "unix:uid"))
                .isEqualTo(Identity.effectiveUid());
        assertThatThrownBy(session::createDirectory).isInstanceOf(ConflictException.class);
        Json.write(session.record(), JsonObject.builder().build());
        assertThat(session.exists()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/b", "-a", "A", "a b", "a\n", "x."})
    void refusesIdsThatAreNot(String id) {
        assertThatThrownBy(() -> new StateLayout(base).session(id))
                .isInstanceOf(InvalidInputException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", ".git", "a/b", "-a", "a b", "a\n"})
    void refusesNamesThatAreNot(String name) {
        assertThatThrownBy(() -> new StateLayout(base).snapshot(name, "1"))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> new StateLayout(base).session("a").repo(name))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void refusesABaseThatOthersMayWrite() throws Exception {
        Files.createDirectory(base);
        mode(base, "rwxrwx--x");
        StateLayout layout = new StateLayout(base);

        assertThatThrownBy(layout::create)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("others may write the state directory " + base);
        assertThatThrownBy(layout::check).isInstanceOf(InvalidInputException.class);
        assertThat(layout.sessions()).doesNotExist();

        mode(base, "rwx--x--x");
        layout.create();
        assertThat(layout.sessions()).exists();
    }

    /** No user can make a directory in either, whatever the rights. */
    @ParameterizedTest
    @ValueSource(strings = {"/proc/carrel", "/proc/carrel/below", "/dev/null/state"})
    void namesTheSettingWhereItsPlaceCannotBeMade(String place) {
        assertThatThrownBy(() -> new StateLayout(Path.of(place)).create())
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("cannot create the directory ")
                .satisfies(e ->
                        assertThat(((HostOperationException) e).remedy().orElseThrow())
                                .contains("CARREL_WORKSPACES"));
    }

    @Test
    void judgesTheTargetOfALink() throws Exception {
        Path target = Files.createDirectory(host.resolve("target"));
        Files.createSymbolicLink(base, target);
        mode(target, "rwxrwxrwx");
        assertThatThrownBy(() -> new StateLayout(base).create())
                .isInstanceOf(InvalidInputException.class);

        mode(target, "rwx--x--x");
        new StateLayout(base).create();
        assertThat(target.resolve("sessions")).exists();
    }

    @Test
    void refusesTheBaseOfAnotherUser() throws Exception {
        Path foreign = ROOT ? Files.createDirectory(base) : Path.of("/usr");
        if (ROOT) {
            Files.setAttribute(foreign, "unix:uid", 12_345);
        }

        assertThatThrownBy(() -> new StateLayout(foreign).check())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("belongs to user");
    }

    @Test
    void onlyRootsBaseMustBePassableForOthers() throws Exception {
        mode(host, "rwx------");
        StateLayout layout = new StateLayout(base);

        if (ROOT) {
            assertThatThrownBy(layout::create)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("cannot pass " + host);
        } else {
            layout.create();
            assertThat(layout.sessions()).exists();
        }
    }

    @Test
    void noStateIsNoSession() {
        new StateLayout(base).check();

        assertThat(new StateLayout(base).sessionIds()).isEmpty();
    }

    private static int mode(Path path) throws Exception {
        return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
    }

    private static void mode(Path path, String permissions) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
