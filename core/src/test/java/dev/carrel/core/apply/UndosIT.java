package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.InMemory;
import dev.carrel.core.testing.RandomTree;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UndosIT {

    private @TempDir(factory = InMemory.class) Path temp;

    private Bench bench(String name) {
        Bench bench = new Bench(temp.resolve(name));
        Bench.write(bench.host, "changed", "old\n");
        Bench.write(bench.host, "dir/gone", "gone\n");
        bench.start();
        Bench.write(bench.wanted, "changed", "new\n");
        Bench.write(bench.wanted, "fresh/file", "fresh\n");
        Bench.delete(bench.wanted, "dir");
        return bench.session(1);
    }

    @Test
    void takesBackWhatAnApplyDidAndItCanBeAppliedAgain() throws Exception {
        for (long seed = 0; seed < 8; seed++) {
            Bench bench = new Bench(temp.resolve("random" + seed));
            new RandomTree(bench.host, seed).change(60);
            bench.start();
            new RandomTree(bench.wanted, seed + 1_000).change(25);
            bench.session(seed);
            SortedMap<TreePath, String> before = bench.image();
            bench.apply();
            bench.undo();
            assertThat(bench.image()).as("seed " + seed).isEqualTo(before);
            assertThat(bench.planUndo().steps()).isEmpty();
            bench.apply();
            assertThat(bench.image()).as("seed " + seed).isEqualTo(TreeImage.of(bench.wanted));
            assertThat(bench.plan().steps()).as("seed " + seed).isEmpty();
        }
    }

    @Test
    void theFileItselfComesBack() throws Exception {
        Bench bench = bench("same");
        Path file = bench.host.resolve("changed");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
        Object key = Files.readAttributes(file, "unix:ino").get("ino");
        bench.apply();
        bench.undo();
        assertThat(Files.readAttributes(file, "unix:ino")).containsEntry("ino", key);
        assertThat(Files.getLastModifiedTime(file).toMillis()).isEqualTo(1_000_000);
        assertThat(Files.readAttributes(file, "unix:nlink")).containsEntry("nlink", 1);
    }

    @Test
    void aFileThatChangedSinceKeepsAllFromBeingUndone() throws Exception {
        Bench bench = bench("changed");
        bench.apply();
        Bench.write(bench.host, "changed", "newer\n");
        SortedMap<TreePath, String> before = bench.image();
        ApplyPlan plan = bench.planUndo();
        assertThat(plan.conflicts())
                .extracting(ApplyConflict::toString)
                .containsExactly("repo/changed: it changed on the host since it was applied");
        assertThatThrownBy(() -> Applies.run(bench.files(), plan))
                .isInstanceOf(ConflictException.class);
        assertThat(bench.image()).isEqualTo(before);
    }

    @Test
    void theRestIsUndoneIfAskedForAndTheOtherLater() throws Exception {
        Bench bench = bench("partial");
        SortedMap<TreePath, String> first = bench.image();
        bench.apply();
        Bench.write(bench.host, "changed", "newer\n");
        bench.partial = true;
        bench.undo();
        assertThat(bench.host.resolve("changed")).hasContent("newer\n");
        assertThat(bench.host.resolve("dir/gone")).hasContent("gone\n");
        assertThat(bench.host.resolve("fresh")).doesNotExist();
        Bench.write(bench.host, "changed", "new\n");
        bench.undo();
        assertThat(bench.image()).isEqualTo(first);
    }

    @Test
    void onlyTheLastApplyIsUndone() throws Exception {
        Bench bench = bench("last");
        bench.apply();
        SortedMap<TreePath, String> between = bench.image();
        Bench.write(bench.wanted, "changed", "newest\n");
        bench.session(2).apply();
        bench.undo();
        assertThat(bench.image()).isEqualTo(between);
        assertThat(bench.planUndo().operations()).isEmpty();
        bench.apply();
        assertThat(bench.host.resolve("changed")).hasContent("newest\n");
    }

    @Test
    void filesOfTheHostInANewDirectoryStay() throws Exception {
        Bench bench = bench("own");
        bench.apply();
        Bench.write(bench.host, "fresh/own", "mine\n");
        ApplyPlan plan = bench.planUndo();
        assertThat(plan.notices()).anyMatch(text -> text.contains("own"));
        Applies.run(bench.files(), plan);
        assertThat(bench.host.resolve("fresh").toFile().list()).containsExactly("own");
    }

    @Test
    void nothingIsRestoredThroughALink() throws Exception {
        Bench bench = bench("link");
        bench.apply();
        Path outside = Files.createDirectory(temp.resolve("outside"));
        Files.createSymbolicLink(bench.host.resolve("dir"), outside);
        assertThat(bench.planUndo().conflicts()).hasSize(2);
        bench.partial = true;
        bench.undo();
        assertThat(outside).isEmptyDirectory();
        assertThat(bench.host.resolve("changed")).hasContent("old\n");
    }

    @Test
    void aStopAfterAnyStepIsFinishedOrUndone() throws Exception {
        int steps = Integer.MAX_VALUE;
        int finished = 0;
        for (int stop = 0; stop <= steps; stop++) {
            Bench bench = bench("stop" + stop);
            SortedMap<TreePath, String> before = bench.image();
            bench.apply();
            SortedMap<TreePath, String> applied = bench.image();
            List<Step> all = bench.planUndo().steps();
            steps = all.size();
            for (Step step : all.subList(0, stop)) {
                step.run();
            }
            Optional<Recovery> recovery = bench.recover();
            boolean undone = stop == steps || recovery.equals(Optional.of(Recovery.FINISHED));
            finished += undone ? 1 : 0;
            assertThat(bench.image())
                    .as("stopped after step " + stop)
                    .isEqualTo(undone ? before : applied);
            bench.undo();
            assertThat(bench.image()).as("stopped after step " + stop).isEqualTo(before);
            bench.apply();
            assertThat(bench.image()).isEqualTo(applied);
        }
        assertThat(finished).isBetween(2, steps - 1);
    }

    @Test
    void aStopOfAnApplyLeavesSomethingToUndoExactlyIfItIsFinished() throws Exception {
        int steps = bench("count").plan().steps().size();
        for (int stop = 1; stop <= steps; stop++) {
            Bench bench = bench("apply" + stop);
            SortedMap<TreePath, String> before = bench.image();
            for (Step step : bench.plan().steps().subList(0, stop)) {
                step.run();
            }
            bench.recover();
            bench.undo();
            assertThat(bench.image()).as("stopped after step " + stop).isEqualTo(before);
            assertThat(bench.state.toFile().list()).doesNotContain("undo", "undo.next");
        }
    }

    @Test
    void whatCannotBeMovedIsCopied() throws Exception {
        Path other = InMemory.elsewhere("carrel-undo-");
        try {
            Bench bench = bench("copied");
            ApplyFiles files =
                    new ApplyFiles(
                            bench.journal(),
                            bench.applied(),
                            other.resolve("undo"),
                            other.resolve("ancestors"),
                            other.resolve("conflicts"));
            SortedMap<TreePath, String> before = bench.image();
            ApplyRequest request = bench.request();
            Applies.run(
                    files,
                    Applies.plan(
                            new ApplyRequest(
                                    request.targets(), true, false, files, request.tool())));
            Applies.run(
                    files, Undos.plan(new UndoRequest(Map.of("repo", bench.host), false, files)));
            assertThat(bench.image()).isEqualTo(before);
        } finally {
            Trees.delete(other.resolveSibling("."), other.getFileName().toString());
        }
    }
}
