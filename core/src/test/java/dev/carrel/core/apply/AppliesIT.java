package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.posix.Identity;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppliesIT {

    private @TempDir Path temp;
    private Bench bench;

    @BeforeEach
    void makeBench() {
        bench = new Bench(temp);
        Bench.write(bench.host, "kept", "kept\n");
        Bench.write(bench.host, "changed", "old\n");
        Bench.write(bench.host, "dir/gone", "gone\n");
        Bench.write(bench.host, "dir/stays", "stays\n");
        bench.start();
        Bench.write(bench.wanted, "changed", "new\n");
        Bench.write(bench.wanted, "fresh/file", "fresh\n");
        Bench.delete(bench.wanted, "dir/gone");
        bench.session(1);
    }

    private void requireUntouched(SortedMap<TreePath, String> before) {
        assertThat(bench.image()).isEqualTo(before);
        assertThat(bench.journal()).doesNotExist();
    }

    @Test
    void aPlanWritesNothing() throws Exception {
        SortedMap<TreePath, String> before = bench.image();
        ApplyPlan plan = bench.plan();
        assertThat(plan.operations().get("repo")).hasSize(4);
        requireUntouched(before);
    }

    @Test
    void everyFileThatChangedOnTheHostIsAConflictAndNothingIsWritten() throws Exception {
        Bench.write(bench.host, "changed", "mine\n");
        Bench.delete(bench.host, "dir/gone");
        Bench.write(bench.host, "dir/gone", "mine, too\n");
        Bench.write(bench.host, "fresh", "in the way\n");
        SortedMap<TreePath, String> before = bench.image();
        assertThat(bench.conflicts())
                .contains("repo/changed: both sides changed the same lines")
                .contains("repo/dir/gone: the host changed it, the session deleted it")
                .contains("repo/fresh: one side has a directory there, the other a file");
        assertThatThrownBy(bench::apply)
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("repo/changed")
                .hasMessageContaining("repo/dir/gone");
        requireUntouched(before);
    }

    @Test
    void filesThatTheSessionDidNotTouchMayChangeOnTheHost() throws Exception {
        Bench.write(bench.host, "kept", "mine\n");
        Bench.write(bench.host, "untracked", "mine\n");
        bench.apply();
        assertThat(bench.host.resolve("kept")).hasContent("mine\n");
        assertThat(bench.host.resolve("untracked")).hasContent("mine\n");
        assertThat(bench.host.resolve("changed")).hasContent("new\n");
    }

    @Test
    void whatTheHostHasAlreadyIsNoConflict() throws Exception {
        Bench.write(bench.host, "changed", "new\n");
        bench.apply();
        assertThat(bench.image()).isEqualTo(TreeImage.of(bench.wanted));
    }

    @Test
    void aSecondApplyGoesOnFromTheFirst() throws Exception {
        bench.apply();
        Bench.write(bench.wanted, "changed", "newer\n");
        bench.session(2).apply();
        assertThat(bench.host.resolve("changed")).hasContent("newer\n");
        Bench.write(bench.host, "changed", "mine\n");
        Bench.write(bench.wanted, "changed", "newest\n");
        bench.session(3);
        assertThat(bench.conflicts()).hasSize(1);
    }

    @Test
    void onlyTheNamedPathsAreTaken() throws Exception {
        bench.paths = List.of(TreePath.of("fresh/file"));
        bench.apply();
        assertThat(bench.host.resolve("fresh/file")).hasContent("fresh\n");
        assertThat(bench.host.resolve("changed")).hasContent("old\n");
        bench.paths = List.of(TreePath.of("nowhere"));
        assertThatThrownBy(bench::plan).isInstanceOf(NotFoundException.class);
    }

    @Test
    void nothingIsWrittenThroughALinkOfTheHost() throws Exception {
        Path outside = Files.createDirectories(temp.resolve("outside"));
        Files.writeString(outside.resolve("gone"), "gone\n");
        Files.writeString(outside.resolve("stays"), "stays\n");
        Bench.delete(bench.host, "dir");
        Files.createSymbolicLink(bench.host.resolve("dir"), outside);
        Files.createSymbolicLink(bench.host.resolve("fresh"), outside);
        SortedMap<TreePath, String> before = TreeImage.of(outside);
        assertThat(bench.conflicts())
                .contains(
                        "repo/dir/gone: the host reaches it through the symbolic link 'dir'",
                        "repo/fresh/file: the host reaches it through the symbolic link 'fresh'");
        assertThatThrownBy(bench::apply).isInstanceOf(ConflictException.class);
        assertThat(TreeImage.of(outside)).isEqualTo(before);
    }

    @Test
    void aLinkThatTakesADirectorysPlaceDuringTheApplyIsNotFollowed() throws Exception {
        Path outside = Files.createDirectories(temp.resolve("outside"));
        Files.writeString(outside.resolve("gone"), "gone\n");
        ApplyPlan plan = bench.plan();
        Files.move(bench.host.resolve("dir"), bench.host.resolve("moved"));
        Files.createSymbolicLink(bench.host.resolve("dir"), outside);
        assertThatThrownBy(() -> Applies.run(bench.files(), plan))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("'dir'");
        assertThat(outside.resolve("gone")).exists();
        assertThat(bench.host.resolve("changed")).hasContent("old\n");
    }

    @Test
    void aFileThatChangesDuringTheApplyIsKeptAndAllIsUndone() throws Exception {
        ApplyPlan plan = bench.plan();
        Bench.write(bench.host, "changed", "mine\n");
        SortedMap<TreePath, String> before = bench.image();
        assertThatThrownBy(() -> Applies.run(bench.files(), plan))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("'changed'");
        requireUntouched(before);
    }

    @Test
    void aFailureInTheMiddleUndoesWhatWasDone() throws Exception {
        ApplyPlan plan = bench.plan();
        Bench.write(bench.host, "fresh", "in the way\n"); // the last thing that is put in place
        SortedMap<TreePath, String> before = bench.image();
        assertThatThrownBy(() -> Applies.run(bench.files(), plan))
                .isInstanceOf(ConflictException.class);
        requireUntouched(before);
        assertThat(bench.applied()).doesNotExist();
    }

    @Test
    void aHostThatWasChangedAfterAKillIsUndoneWhereItCanBe() throws Exception {
        List<Step> steps = bench.plan().steps();
        int half = steps.size() - 5; // all but the last operation is in place
        for (Step step : steps.subList(0, half)) {
            step.run();
        }
        Bench.write(bench.host, "other", "mine\n");
        assertThat(bench.recover()).contains(Recovery.FINISHED);
        assertThat(bench.host.resolve("other")).hasContent("mine\n");
        assertThat(bench.host.resolve("fresh/file")).hasContent("fresh\n");
    }

    @Test
    void aDirectoryWithFilesOfTheHostAloneStays() throws Exception {
        Bench.delete(bench.wanted, "dir");
        bench.session(1);
        Bench.write(bench.host, "dir/own.log", "mine\n");
        ApplyPlan plan = bench.plan();
        assertThat(plan.notices()).anyMatch(text -> text.contains("own.log"));
        Applies.run(bench.files(), plan);
        assertThat(bench.host.resolve("dir").toFile().list()).containsExactly("own.log");
    }

    @Test
    void aDirectoryWithFilesOfTheHostAloneIsNotReplaced() throws Exception {
        Bench.delete(bench.wanted, "dir");
        Bench.write(bench.wanted, "dir", "a file now\n");
        bench.session(1);
        Bench.write(bench.host, "dir/.git/config", "mine\n");
        assertThat(bench.conflicts()).anyMatch(text -> text.startsWith("repo/dir: "));
        Bench.delete(bench.host, "dir/.git");
        bench.apply();
        assertThat(bench.host.resolve("dir")).hasContent("a file now\n");
    }

    @Test
    void gitIsNeverWrittenNorAreItsLookalikes() throws Exception {
        Bench.write(bench.host, ".git/config", "host\n");
        Bench.write(bench.upper, ".git/config", "evil\n");
        Bench.write(bench.upper, ".git/hooks/pre-commit", "evil\n");
        Bench.write(bench.upper, "sub/.git/config", "evil\n");
        bench.apply();
        assertThat(bench.host.resolve(".git/config")).hasContent("host\n");
        assertThat(bench.host.resolve(".git/hooks")).doesNotExist();
        assertThat(bench.host.resolve("sub")).isEmptyDirectory();
        Bench.write(bench.upper, ".GIT/hooks/pre-commit", "evil\n");
        assertThat(bench.conflicts()).anyMatch(text -> text.contains(".GIT"));
    }

    @Test
    void linksAreWrittenAsTextAndSetIdBitsAreDropped() throws Exception {
        Files.createSymbolicLink(bench.upper.resolve("link"), Path.of("/etc/passwd"));
        Bench.write(bench.upper, "tool", "#!/bin/sh\n");
        try (Dir dir = Dir.open(bench.upper)) {
            dir.chmod(Names.bytes("tool"), 06755);
            dir.makeFifo(Names.bytes("fifo"), 0644);
        }
        bench.apply();
        assertThat(Files.readSymbolicLink(bench.host.resolve("link"))).hasToString("/etc/passwd");
        try (Dir dir = Dir.open(bench.host)) {
            assertThat(dir.stat(Names.bytes("tool")).orElseThrow().mode()).isEqualTo(0755);
            assertThat(dir.stat(Names.bytes("fifo"))).isEmpty();
        }
    }

    @Test
    void aHardLinkedFileIsReplacedNotWrittenThrough() throws Exception {
        Path other = Files.createLink(temp.resolve("other"), bench.host.resolve("changed"));
        Path mode = Files.createLink(temp.resolve("mode"), bench.host.resolve("kept"));
        Bench.write(bench.upper, "kept", "kept\n");
        Files.setPosixFilePermissions(
                bench.upper.resolve("kept"), PosixFilePermissions.fromString("rwxr-xr-x"));
        bench.apply();
        assertThat(other).hasContent("old\n");
        assertThat(Files.isExecutable(bench.host.resolve("kept"))).isTrue();
        assertThat(Files.isExecutable(mode)).isFalse();
        assertThat(bench.host.resolve("changed")).hasContent("new\n");
    }

    @Test
    void aBaseThatSharesItsFilesIsComparedByRecord() throws Exception {
        bench.record = Optional.of((path, _) -> !path.equals(TreePath.of("changed")));
        assertThat(bench.conflicts())
                .containsExactly("repo/changed: the host's file changed since the session's start");
    }

    @Test
    void aSparseFileOfTerabytesIsRefusedBeforeAnythingIsWritten() throws Exception {
        try (RandomAccessFile file =
                new RandomAccessFile(bench.upper.resolve("huge").toFile(), "rw")) {
            file.setLength(15L << 40);
        }
        SortedMap<TreePath, String> before = bench.image();
        assertThatThrownBy(bench::apply)
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("bytes");
        requireUntouched(before);
    }

    @Test
    void theHostsPermissionBitsAreKeptWhereTheSessionChangedContent() throws Exception {
        Files.setPosixFilePermissions(
                bench.host.resolve("changed"), PosixFilePermissions.fromString("rw-rw-r--"));
        Files.setPosixFilePermissions(
                bench.host.resolve("dir"), PosixFilePermissions.fromString("rwxrwxr-x"));
        bench.apply();
        assertThat(bench.host.resolve("changed")).hasContent("new\n");
        assertThat(Files.getPosixFilePermissions(bench.host.resolve("changed")))
                .isEqualTo(PosixFilePermissions.fromString("rw-rw-r--"));
    }

    @Test
    void aDirectoryThatItsOwnerMayNotWriteIsOpenedUpAndClosedAgain() throws Exception {
        for (Path root : List.of(bench.host, bench.base, bench.wanted)) {
            Files.setPosixFilePermissions(
                    root.resolve("dir"), PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        bench.session(1).apply();
        assertThat(bench.image()).isEqualTo(TreeImage.of(bench.wanted));
        Files.setPosixFilePermissions(
                bench.host.resolve("dir"), PosixFilePermissions.fromString("rwxr-xr-x"));
        for (Path root : List.of(bench.base, bench.wanted, bench.upper)) {
            try (Dir dir = Dir.open(root)) {
                dir.chmod(Names.bytes("dir"), 0755);
            }
        }
    }

    @Test
    void rootGivesFilesToTheOwnerOfTheRepository() throws Exception {
        if (Identity.effectiveUid() != 0) {
            return; // an ordinary user's files are its own
        }
        Trees.chownTree(bench.host, 1234, 1235);
        bench.apply();
        try (Dir root = Dir.open(bench.host);
                Dir fresh = root.openDir(Names.bytes("fresh"))) {
            FileStatus replaced = root.stat(Names.bytes("changed")).orElseThrow();
            FileStatus made = root.stat(Names.bytes("fresh")).orElseThrow();
            FileStatus created = fresh.stat(Names.bytes("file")).orElseThrow();
            for (FileStatus status : List.of(replaced, made, created)) {
                assertThat(status.uid()).isEqualTo(1234);
                assertThat(status.gid()).isEqualTo(1235);
            }
        }
    }

    @Test
    void anInterruptedApplyHasToBeRecoveredFirst() throws Exception {
        bench.plan().steps().getFirst().run();
        assertThatThrownBy(bench::plan).isInstanceOf(ConflictException.class);
        assertThat(bench.recover()).contains(Recovery.UNDONE);
        assertThat(bench.plan().conflicts()).isEmpty();
    }
}
