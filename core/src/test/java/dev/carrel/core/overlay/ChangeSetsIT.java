package dev.carrel.core.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeSetsIT {

    private @TempDir Path temp;
    private Layers layers;

    @BeforeEach
    void makeLayers() throws IOException {
        layers = new Layers(temp);
    }

    @Test
    void anUntouchedUpperIsNoChange() throws Exception {
        layers.base("a", "x");
        assertThat(layers.changes().isEmpty()).isTrue();
        assertThat(layers.changes().complete()).isTrue();
    }

    @Test
    void addedModifiedAndDeletedFilesAreListedInOrder() throws Exception {
        layers.base("b", "x").base("d/gone", "y").base("d/stays", "z");
        layers.change("b", "X2").change("a/new", "n").change("d/other", "o").whiteout("d/gone");
        assertThat(Layers.lines(layers.changes()))
                .containsExactly(
                        "ADDED a", "ADDED a/new", "MODIFIED b", "DELETED d/gone", "ADDED d/other");
    }

    @Test
    void aCopyUpWithoutADifferenceIsNoChangeWhateverItsTime() throws Exception {
        layers.base("a", "same").change("a", "same");
        Files.setLastModifiedTime(layers.upper.resolve("a"), FileTime.fromMillis(-1_000_000_000));
        Files.createSymbolicLink(layers.lower.resolve("l"), Path.of("a"));
        Files.createSymbolicLink(layers.upper.resolve("l"), Path.of("a"));
        assertThat(layers.changes().isEmpty()).isTrue();
    }

    @Test
    void theSameSizeWithOtherBytesIsModifiedWhateverItsTime() throws Exception {
        layers.base("a", "same").change("a", "sane");
        Files.setLastModifiedTime(
                layers.upper.resolve("a"), Files.getLastModifiedTime(layers.lower.resolve("a")));
        assertThat(Layers.lines(layers.changes())).containsExactly("MODIFIED a");
    }

    @Test
    void permissionBitsAreAChangeAndSetIdBitsAreNot() throws Exception {
        layers.base("a", "x").base("s", "x").change("a", "x").change("s", "x");
        Layers.mode(layers.upper.resolve("a"), 0755);
        Layers.in(layers.upper, TreePath.of("s"), (dir, name) -> dir.chmod(name, 06644));
        Change change = layers.changes().changes().getFirst();
        assertThat(Layers.lines(layers.changes())).containsExactly("MODE_CHANGED a");
        assertThat(change.after()).contains(new Entry.RegularFile(0755, 1));
    }

    @Test
    void aDeletedDirectoryListsAllThatItHeld() throws Exception {
        layers.base("d/a", "1").base("d/e/b", "2").whiteout("d");
        assertThat(Layers.lines(layers.changes()))
                .containsExactly("DELETED d", "DELETED d/a", "DELETED d/e", "DELETED d/e/b");
    }

    @Test
    void anOpaqueDirectoryHidesTheBaseAtEveryDepth() throws Exception {
        layers.base("d/a", "1").base("d/e/b", "2").base("d/e/c", "3");
        layers.opaque("d").change("d/e/c", "3").change("d/new", "n");
        assertThat(Layers.lines(layers.changes()))
                .containsExactly("DELETED d/a", "DELETED d/e/b", "ADDED d/new");
    }

    @Test
    void aChangeOfTypeRemovesWhatWasBelow() throws Exception {
        layers.base("d/a", "1").base("f", "2").change("d", "now a file").change("f/x", "3");
        assertThat(Layers.lines(layers.changes()))
                .containsExactly("TYPE_CHANGED d", "DELETED d/a", "TYPE_CHANGED f", "ADDED f/x");
    }

    @Test
    void emptyDirectoriesCount() throws Exception {
        Layers.mkdirs(layers.lower.resolve("old"));
        Layers.mkdirs(layers.upper.resolve("fresh"));
        layers.whiteout("old");
        assertThat(Layers.lines(layers.changes())).containsExactly("ADDED fresh", "DELETED old");
        assertThat(layers.changes().summary()).isEqualTo(new ChangeSet.Summary(1, 0, 1));
    }

    @Test
    void directoriesThatComeWithTheirContentsAreNotListed() throws Exception {
        layers.change("a/b/c", "x").change("a/d", "x");
        Layers.mkdirs(layers.upper.resolve("a/empty"));
        assertThat(layers.changes().listed().stream().map(c -> c.path().toString()))
                .containsExactly("a/b/c", "a/d", "a/empty");
    }

    @Test
    void linksAreTextAndNeverFollowed() throws Exception {
        Files.createDirectories(layers.upper);
        Files.createSymbolicLink(layers.upper.resolve("secret"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(layers.upper.resolve("up"), Path.of("../../../.."));
        Files.createSymbolicLink(layers.upper.resolve("loop"), Path.of("loop"));
        ChangeSet set = layers.changes();
        assertThat(Layers.lines(set)).containsExactly("ADDED loop", "ADDED secret", "ADDED up");
        assertThat(set.changes().get(1).after())
                .contains(new Entry.Link(Layers.bytes("/etc/passwd")));
        try (MergedTree view = MergedTree.view(layers.stack())) {
            assertThat(view.names(TreePath.of("up"))).isEmpty();
            assertThat(view.entry(TreePath.of("up/etc"))).isEmpty();
            assertThatThrownBy(() -> view.read(TreePath.of("secret")))
                    .hasMessageContaining("secret");
        }
    }

    @Test
    void specialFilesAreNamedAndLeftOut() throws Exception {
        layers.base("was-file", "x");
        Layers.in(layers.upper, TreePath.of("fifo"), (dir, name) -> dir.makeFifo(name, 0644));
        Layers.in(layers.upper, TreePath.of("was-file"), (dir, name) -> dir.makeFifo(name, 0644));
        ChangeSet set = layers.changes();
        assertThat(set.changes()).isEmpty();
        assertThat(set.notices()).hasSize(2).allMatch(text -> text.contains("is a FIFO"));
    }

    @Test
    void modeBitsBeyondThePermissionsAreNamedAndLeftOut() throws Exception {
        layers.base("had", "x").change("tool", "x").change("shared/f", "x").change("had", "y");
        Path base = layers.stack().lowers().getFirst();
        Files.setAttribute(base.resolve("had"), "unix:mode", 01644);
        Files.setAttribute(layers.upper.resolve("had"), "unix:mode", 01644);
        Files.setAttribute(layers.upper.resolve("tool"), "unix:mode", 04755);
        Files.setAttribute(layers.upper.resolve("shared"), "unix:mode", 01777);
        ChangeSet set = layers.changes();
        assertThat(Layers.lines(set))
                .containsExactly("MODIFIED had", "ADDED shared", "ADDED shared/f", "ADDED tool");
        assertThat(set.notices())
                .containsExactlyInAnyOrder(
                        "'tool': its set-user-ID bit is left out",
                        "'shared': its sticky bit is left out");
    }

    @Test
    void repositoriesInsideAreNamedAndLeftOut() throws Exception {
        layers.change(".git/index", "own").change("lib/.git/HEAD", "x").change("lib/a", "x");
        ChangeSet set = layers.changes();
        assertThat(Layers.lines(set)).containsExactly("ADDED lib", "ADDED lib/a");
        assertThat(set.notices())
                .containsExactly("'lib/.git' is a repository inside and is left out");
    }

    @Test
    void gitsOwnDirectoryIsNeverPart() throws Exception {
        layers.base(".git/config", "x").base("sub/.git/HEAD", "y").base("sub/file", "z");
        layers.change(".git/hooks/pre-commit", "evil").change(".GIT/config", "odd");
        layers.whiteout("sub");
        ChangeSet set = layers.changes();
        assertThat(Layers.lines(set))
                .containsExactly(
                        "ADDED .GIT", "ADDED .GIT/config", "DELETED sub", "DELETED sub/file");
        assertThat(set.notices()).anyMatch(text -> text.contains(".GIT"));
    }

    @Test
    void aHugeSparseFileIsNotRead() throws Exception {
        layers.base("f", "x");
        for (String name : List.of("f", "new")) {
            try (RandomAccessFile sparse =
                    new RandomAccessFile(layers.upper.resolve(name).toFile(), "rw")) {
                sparse.setLength(15L << 40);
            }
        }
        assertThat(Layers.lines(layers.changes())).containsExactly("MODIFIED f", "ADDED new");
    }

    @Test
    void limitsGiveAPartialResultThatSaysSo() throws Exception {
        for (int i = 0; i < 50; i++) {
            layers.change("deep/" + "d/".repeat(i) + "f", "x");
        }
        ChangeSet few =
                ChangeSets.select(
                        layers.stack(),
                        IgnoreFilter.nothing(),
                        List.of(),
                        new Limits(1000, 20, 1000));
        ChangeSet shallow =
                ChangeSets.select(
                        layers.stack(), IgnoreFilter.nothing(), List.of(), new Limits(5, 900, 99));
        assertThat(few.complete()).isFalse();
        assertThat(few.notices()).anyMatch(text -> text.contains("20 entries"));
        assertThat(shallow.complete()).isFalse();
        assertThat(shallow.notices()).anyMatch(text -> text.contains("too deep"));
        assertThat(shallow.changes()).isNotEmpty();
    }

    @Test
    void pathsSelectAndBringTheNewDirectoriesThatLeadThere() throws Exception {
        layers.base("d/a", "1").change("d/a", "2").change("n/m/x", "3").change("n/y", "4");
        assertThat(Layers.lines(select("n/m/x")))
                .containsExactly("ADDED n", "ADDED n/m", "ADDED n/m/x");
        assertThat(Layers.lines(select("d"))).containsExactly("MODIFIED d/a");
        assertThatThrownBy(() -> select("nowhere/x"))
                .isInstanceOf(NotFoundException.class)
                .hasMessageContaining("nowhere/x");
    }

    @Test
    void anUnchangedPathSelectsNothing() throws Exception {
        layers.base("d/a", "1").change("b", "2");
        assertThat(select("d/a").isEmpty()).isTrue();
    }

    @Test
    void namesAreBytes() throws Exception {
        byte[] name = {'-', 'r', 'f', '\n', '\t', '"', (byte) 0xff, (byte) 0xfe};
        TreePath path = TreePath.ROOT.child(name);
        Layers.in(layers.upper, path, (dir, n) -> dir.symlink(n, n));
        Change change = layers.changes().changes().getFirst();
        assertThat(change.path()).isEqualTo(path);
        assertThat(change.after()).isEqualTo(Optional.of(new Entry.Link(name)));
    }

    @Test
    void severalLowersMergeByTheKernelsRules() throws Exception {
        Path middle = Files.createDirectories(temp.resolve("middle"));
        layers.base("a", "1").base("gone", "2").base("d/x", "3").base("d/y", "3");
        Layers.write(layers, middle, "d/x", "4");
        Layers.in(middle, TreePath.of("gone"), (dir, name) -> dir.makeWhiteout(name));
        layers.change("d/x", "4").change("gone", "back").whiteout("d/y");
        LayerStack stack = new LayerStack(layers.upper, List.of(middle, layers.lower));
        assertThat(Layers.lines(ChangeSets.compute(stack, IgnoreFilter.nothing())))
                .containsExactly("DELETED d/y", "ADDED gone");
    }

    private ChangeSet select(String path) throws InterruptedException {
        return ChangeSets.select(
                layers.stack(),
                IgnoreFilter.nothing(),
                List.of(TreePath.of(path)),
                Limits.STANDARD);
    }
}
