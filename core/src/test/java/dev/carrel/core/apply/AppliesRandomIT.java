package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.store.Step;
import dev.carrel.core.testing.InMemory;
import dev.carrel.core.testing.RandomTree;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppliesRandomIT {

    private @TempDir(factory = InMemory.class) Path temp;

    private Bench bench(long seed) {
        Bench bench = new Bench(temp.resolve("bench" + seed));
        new RandomTree(bench.host, seed).change(60);
        bench.start();
        new RandomTree(bench.wanted, seed + 1_000).change(25);
        return bench.session(seed);
    }

    @Test
    void theHostBecomesWhatTheSessionSeesAndThenNothingIsLeftToDo() throws Exception {
        for (long seed = 0; seed < 12; seed++) {
            Bench bench = bench(seed);
            bench.apply();
            assertThat(bench.image()).as("seed " + seed).isEqualTo(TreeImage.of(bench.wanted));
            assertThat(bench.plan().steps()).as("seed " + seed).isEmpty();
            assertThat(bench.conflicts()).as("seed " + seed).isEmpty();
            assertThat(bench.state.toFile().list()).containsOnly("applied", "undo", "ancestors");
        }
    }

    @Test
    void whatTheSessionTakesBackIsTakenBackOnTheHost() throws Exception {
        for (long seed = 0; seed < 8; seed++) {
            Bench bench = bench(seed);
            SortedMap<TreePath, String> before = bench.image();
            bench.apply();
            new RandomTree(bench.wanted, seed + 2_000).change(15);
            bench.session(seed).apply();
            assertThat(bench.image()).as("seed " + seed).isEqualTo(TreeImage.of(bench.wanted));
            Bench.replace(bench.base, bench.wanted);
            bench.session(seed).apply();
            assertThat(bench.image()).as("seed " + seed).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1})
    void aStopAfterAnyStepIsFinishedOrUndone(long seed) throws Exception {
        int finished = 0;
        int steps = Integer.MAX_VALUE;
        for (int stop = 0; stop <= steps; stop++) {
            Bench bench = new Bench(temp.resolve("stop" + stop));
            new RandomTree(bench.host, seed).change(20);
            bench.start();
            new RandomTree(bench.wanted, seed + 1_000).change(8);
            bench.session(seed);
            SortedMap<TreePath, String> before = bench.image();
            List<Step> all = bench.plan().steps();
            steps = all.size();
            for (Step step : all.subList(0, stop)) {
                step.run();
            }
            Optional<Recovery> recovery = bench.recover();
            boolean whole = stop == all.size() || recovery.equals(Optional.of(Recovery.FINISHED));
            finished += whole ? 1 : 0;
            assertThat(bench.image())
                    .as("stopped after step " + stop)
                    .isEqualTo(whole ? TreeImage.of(bench.wanted) : before);
            assertThat(bench.recover()).isEmpty();
            bench.apply();
            assertThat(bench.image()).isEqualTo(TreeImage.of(bench.wanted));
        }
        assertThat(finished).isBetween(2, steps - 1);
    }
}
