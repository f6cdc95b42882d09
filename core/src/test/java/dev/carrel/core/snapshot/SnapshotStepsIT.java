package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.store.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bases that were interrupted are made anew; shared ones go when nobody uses them. */
class SnapshotStepsIT {

    @TempDir Path directory;
    private Bench bench;

    @BeforeEach
    void commit() {
        bench = new Bench(directory).committed();
        bench.write("README.md", "changed\n");
    }

    @Test
    void stopAfterAnyStepIsRepaired() throws Exception {
        int count = bench.snapshots().plan(bench.request(bench.origin, "s", true)).steps().size();
        for (int stop = 0; stop <= count; stop++) {
            String session = "s" + stop;
            SnapshotPlan first = bench.snapshots().plan(bench.request(bench.origin, session, true));
            for (Step step : first.steps().subList(0, stop)) {
                step.run();
            }
            Base base = bench.base(session);
            assertThat(base.lowers()).isEqualTo(first.base().lowers());
            assertThat(bench.view(base).git("status", "--porcelain")).isEqualTo(" M README.md");
            collect(Set.of(), Duration.ofDays(-1));
        }
    }

    @Test
    void halfBuiltSnapshotIsReplaced() throws Exception {
        SnapshotPlan plan = bench.snapshots().plan(bench.request(bench.origin, "s", true));
        Path snapshot = plan.base().sharedSnapshot().orElseThrow();
        Bench.write(snapshot.resolve("tree/README.md"), "half");
        Bench.write(
                snapshot.resolveSibling(".building-" + snapshot.getFileName()).resolve("tree/x"),
                "half");

        Base base = bench.base("s");

        assertThat(bench.view(base).git("status", "--porcelain")).isEqualTo(" M README.md");
        assertThat(snapshot.resolveSibling(".building-" + snapshot.getFileName())).doesNotExist();
    }

    @Test
    void failureLeavesNoHalfBuiltSnapshot() throws Exception {
        SnapshotPlan plan = bench.snapshots().plan(bench.request(bench.origin, "s", true));
        Path snapshot = plan.base().sharedSnapshot().orElseThrow();
        Path objects = bench.origin.resolve(".git/objects");
        Path gone = Files.move(objects, objects.resolveSibling("gone"));
        assertThatThrownBy(() -> plan.steps().get(1).run())
                .isInstanceOf(HostOperationException.class);
        Files.move(gone, objects);

        assertThat(snapshot).doesNotExist();
        assertThat(snapshot.resolveSibling(".")).isEmptyDirectory();
    }

    @Test
    void unusedSnapshotGoesWithItsReference() throws Exception {
        Base base = bench.base("s");
        Path snapshot = base.sharedSnapshot().orElseThrow();

        collect(Set.of(snapshot), Duration.ofDays(-1));
        assertThat(snapshot).exists();
        collect(Set.of(), Duration.ofDays(1));
        assertThat(snapshot).exists();
        collect(Set.of(), Duration.ofDays(-1));
        assertThat(snapshot).doesNotExist();
        assertThat(bench.git("for-each-ref", "refs/carrel")).isEmpty();
    }

    @Test
    void interruptedRemovalIsFinished() throws Exception {
        Path snapshot = bench.base("s").sharedSnapshot().orElseThrow();
        Files.move(snapshot, snapshot.resolveSibling(".removing-" + snapshot.getFileName()));

        collect(Set.of(), Duration.ofDays(1));

        assertThat(snapshot.resolveSibling(".")).isEmptyDirectory();
        assertThat(bench.git("for-each-ref", "refs/carrel")).isEmpty();
    }

    private void collect(Set<Path> inUse, Duration unused) throws InterruptedException {
        List<Step> steps =
                bench.snapshots().collect(bench.state.resolve("snapshots"), inUse, unused);
        for (Step step : steps) {
            step.run();
        }
    }
}
