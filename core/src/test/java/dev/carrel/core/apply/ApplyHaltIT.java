package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.store.Step;
import dev.carrel.core.testing.DoomedJvm;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that applies and is killed after any of its steps, without a chance to tidy up. */
class ApplyHaltIT {

    private @TempDir Path temp;

    /** The child: applies and stops after so many steps. */
    static final class Child {

        private Child() {}

        public static void main(String[] arguments) throws Exception {
            DoomedJvm.work(Child::apply);
        }

        private static void apply(List<String> words) throws InterruptedException {
            List<Step> steps = bench(words.get(0), words.get(2)).plan().steps();
            for (Step step : steps.subList(0, Integer.parseInt(words.get(1)))) {
                step.run();
            }
            DoomedJvm.reached(true);
        }

        private static Bench bench(String directory, String syncing) {
            Bench bench = new Bench(Path.of(directory));
            bench.syncing = Syncing.valueOf(syncing);
            return bench;
        }
    }

    private Bench bench(String name) {
        Bench bench = new Bench(temp.resolve(name));
        Bench.write(bench.host, "a", "old\n");
        Bench.write(bench.host, "d/b", "old\n");
        bench.start();
        Bench.write(bench.wanted, "a", "new\n");
        Bench.write(bench.wanted, "e/c", "new\n");
        Bench.delete(bench.wanted, "d");
        return bench.session(1);
    }

    @ParameterizedTest
    @EnumSource(Syncing.class)
    @Tag("LC-02")
    void theNextProcessFinishesOrUndoesWhatADeadOneBegan(Syncing syncing) throws Exception {
        int all = bench("count").plan().steps().size();
        List<Bench> benches = new ArrayList<>();
        List<List<String>> works = new ArrayList<>();
        for (int stop = 0; stop <= all; stop++) {
            String name = "stop" + stop;
            benches.add(bench(name));
            works.add(
                    List.of(temp.resolve(name).toString(), Integer.toString(stop), syncing.name()));
        }
        SortedMap<TreePath, String> before = benches.getFirst().image();

        new DoomedJvm(Child.class).kill(works);

        for (int stop = 0; stop <= all; stop++) {
            String when = "killed after step " + stop;
            Bench bench = benches.get(stop);
            Optional<Recovery> recovery = bench.recover();
            assertThat(recovery.isPresent()).as(when).isEqualTo(stop > 0 && stop < all);
            boolean finished = recovery.equals(Optional.of(Recovery.FINISHED)) || stop == all;
            assertThat(bench.image())
                    .as(when)
                    .isEqualTo(finished ? TreeImage.of(bench.wanted) : before);
            assertThat(bench.state.toFile().list((_, name) -> name.startsWith("apply")))
                    .as(when)
                    .doesNotContain("apply.json", "apply.json.operations", "apply.json.applied");
        }
    }
}
