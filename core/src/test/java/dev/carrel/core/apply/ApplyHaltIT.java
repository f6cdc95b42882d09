package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that applies and dies in the middle, without any chance to tidy up. */
class ApplyHaltIT {

    private static final int HALTED = 99;

    private @TempDir Path temp;

    /** The child: applies and halts after so many steps. */
    static final class Child {

        private Child() {}

        static void main(String[] arguments) throws InterruptedException {
            Bench bench = new Bench(Path.of(arguments[0]));
            List<Step> steps = bench.plan().steps();
            for (Step step : steps.subList(0, Integer.parseInt(arguments[1]))) {
                step.run();
            }
            Runtime.getRuntime().halt(HALTED);
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

    @Test
    void theNextProcessFinishesOrUndoesWhatADeadOneBegan() throws Exception {
        int all = bench("count").plan().steps().size();
        for (int stop : List.of(1, all / 3, all / 2, all - 5, all - 2)) {
            Bench bench = bench("stop" + stop);
            SortedMap<TreePath, String> before = bench.image();
            ProcessResult result = runChild(temp.resolve("stop" + stop), stop);
            assertThat(result.exit()).as(result.errorText()).isEqualTo(HALTED);
            Optional<Recovery> recovery = bench.recover();
            boolean finished = recovery.equals(Optional.of(Recovery.FINISHED));
            assertThat(recovery).isPresent();
            assertThat(bench.image())
                    .as("halted after step " + stop)
                    .isEqualTo(finished ? TreeImage.of(bench.wanted) : before);
        }
    }

    private static ProcessResult runChild(Path directory, int stop) throws InterruptedException {
        return new HostProcessRunner()
                .run(
                        Command.of(
                                ChildJvm.command(
                                        Child.class,
                                        directory.toString(),
                                        Integer.toString(stop))));
    }
}
