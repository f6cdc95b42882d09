package dev.carrel.core.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.OverlayWriter;
import dev.carrel.core.testing.RandomTree;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscardsIT {

    private @TempDir Path temp;

    private static SortedMap<TreePath, String> view(LayerStack stack) {
        try (MergedTree tree = MergedTree.view(stack)) {
            return MergedImage.of(tree);
        }
    }

    private LayerStack session(String name, long seed) throws Exception {
        Path base = Files.createDirectories(temp.resolve(name + "/base"));
        Path wanted = Files.createDirectories(temp.resolve(name + "/wanted"));
        Path upper = Files.createDirectories(temp.resolve(name + "/session/upper"));
        new RandomTree(base, seed).change(40);
        new RandomTree(wanted, seed).change(40);
        new RandomTree(wanted, seed + 500).change(25);
        new OverlayWriter(seed).write(base, wanted, upper);
        LayerStack stack = new LayerStack(upper, List.of(base));
        assertThat(view(stack)).isEqualTo(TreeImage.of(wanted));
        return stack;
    }

    private static void run(LayerStack stack, TreePath path) throws InterruptedException {
        for (Step step : Discards.plan(stack, List.of(path), "discarded")) {
            step.run();
        }
    }

    /** At the path the base, elsewhere what was there before. */
    private static void requireDiscarded(
            String what,
            TreePath path,
            SortedMap<TreePath, String> base,
            SortedMap<TreePath, String> before,
            SortedMap<TreePath, String> after) {
        SortedMap<TreePath, String> expected = new TreeMap<>(before);
        expected.keySet().removeIf(p -> p.startsWith(path));
        base.forEach((p, text) -> {
            boolean leads = path.startsWith(p) && base.containsKey(path);
            if (p.startsWith(path) || (leads && !expected.containsKey(p))) {
                expected.put(p, text);
            }
        });
        for (var above = path.parent(); above.isPresent(); above = above.get().parent()) {
            TreePath place = above.get();
            boolean pruned = !after.containsKey(place) && !base.containsKey(place);
            if (pruned) {
                expected.remove(place);
            }
        }
        assertThat(after).as(what).isEqualTo(expected);
    }

    @Test
    void theBaseShowsAgainAndNothingElseChanges() throws Exception {
        int discarded = 0;
        for (long seed = 0; seed < 12; seed++) {
            LayerStack stack = session("s" + seed, seed);
            Random random = new Random(seed);
            for (int i = 0; i < 6; i++) {
                List<Change> changes = ChangeSets.compute(stack, IgnoreFilter.nothing()).changes();
                if (changes.isEmpty()) {
                    break;
                }
                TreePath path = changes.get(random.nextInt(changes.size())).path();
                SortedMap<TreePath, String> before = view(stack);
                String what = "seed " + seed + ", " + path;
                try {
                    run(stack, path);
                } catch (ConflictException above) {
                    assertThat(view(stack)).as(what).isEqualTo(before);
                    continue;
                }
                discarded++;
                SortedMap<TreePath, String> base = TreeImage.of(stack.lowers().getFirst());
                requireDiscarded(what, path, base, before, view(stack));
                if (base.containsKey(path)) {
                    SortedMap<TreePath, String> once = view(stack);
                    run(stack, path);
                    assertThat(view(stack)).as(what + ", again").isEqualTo(once);
                }
            }
        }
        assertThat(discarded).isGreaterThan(30);
    }

    @Test
    void everythingButGitIsDiscardedByTheRoot() throws Exception {
        LayerStack stack = session("root", 7);
        Files.createDirectories(stack.upper().resolve(".git"));
        Files.writeString(stack.upper().resolve(".git/HEAD"), "ref");
        run(stack, TreePath.ROOT);
        assertThat(ChangeSets.compute(stack, IgnoreFilter.nothing()).isEmpty()).isTrue();
        assertThat(stack.upper().resolve(".git/HEAD")).exists();
    }

    @Test
    void aKillAtAnyPointIsMadeGoodByAnotherRun() throws Exception {
        Layers layers = new Layers(temp);
        layers.base("d/e/wanted", "1").base("d/e/other", "2").base("d/third", "3").whiteout("d");
        List<TreePath> paths = List.of(TreePath.of("d/e/wanted"));
        List<Step> steps = Discards.plan(layers.stack(), paths, "discarded");
        for (int stop = 0; stop <= steps.size(); stop++) {
            Layers fresh = new Layers(temp.resolve("kill" + stop));
            fresh.base("d/e/wanted", "1").base("d/e/other", "2").base("d/third", "3");
            fresh.whiteout("d");
            for (Step step : Discards.plan(fresh.stack(), paths, "discarded").subList(0, stop)) {
                step.run();
            }
            run(fresh.stack(), paths.getFirst());
            assertThat(view(fresh.stack()).keySet())
                    .containsExactly(
                            TreePath.of("d"), TreePath.of("d/e"), TreePath.of("d/e/wanted"));
            assertThat(fresh.upper.resolveSibling("discarded")).doesNotExist();
        }
    }

    @Test
    void aKilledDiscardOfWhatOnlyTheSessionHadIsRepeated() throws Exception {
        Layers layers = new Layers(temp);
        layers.base("file", "1").change("new", "x").change("other", "y");
        LayerStack stack = layers.stack();
        List<TreePath> paths = List.of(TreePath.of("new"));
        List<Step> steps = Discards.plan(stack, paths, "discarded");
        for (Step step : steps.subList(0, steps.size() - 1)) {
            step.run();
        }
        assertThatThrownBy(() -> run(stack, TreePath.of("nowhere")))
                .as("no such excuse")
                .isInstanceOf(NotFoundException.class);

        run(stack, paths.getFirst());

        assertThat(view(stack).keySet()).containsExactly(TreePath.of("file"), TreePath.of("other"));
        assertThatThrownBy(() -> run(stack, paths.getFirst()))
                .as("that was its end")
                .isInstanceOf(NotFoundException.class);
    }

    @Test
    void whatCannotBeDiscardedIsRefusedWithTheReason() throws Exception {
        Layers layers = new Layers(temp);
        layers.base("d/file", "1").change("d", "a file now").change(".git/HEAD", "x");
        LayerStack stack = layers.stack();
        assertThatThrownBy(() -> run(stack, TreePath.of("d/file")))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("d/file");
        assertThatThrownBy(() -> run(stack, TreePath.of("nowhere")))
                .isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> run(stack, TreePath.of(".git/HEAD")))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void aStagedRestoreIsTheBaseAtThePaths() throws Exception {
        LayerStack stack = session("restore", 11);
        Path staging = Files.createDirectories(temp.resolve("staging"));
        Path base = stack.lowers().getFirst();
        List<TreePath> paths = new ArrayList<>();
        TreeImage.of(base).keySet().stream().filter(p -> p.depth() == 1).forEach(paths::add);
        paths.add(TreePath.of("never-there"));
        RestoreTree restore = RestoreTree.stage(stack, paths, staging);
        assertThat(TreeImage.of(restore.tree())).isEqualTo(TreeImage.of(base));
        assertThat(restore.paths()).isEqualTo(paths);
    }
}
