package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.apply.Operation;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.snapshot.Base;
import dev.carrel.core.snapshot.BaseMethod;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostPlacesTest {

    @TempDir Path root;

    private void require(ApplyPlan plan, Predicate<Path> writable) {
        Base base =
                new Base(
                        List.of(root),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        BaseMethod.CHECKOUT,
                        Optional.empty(),
                        Optional.empty(),
                        List.of());
        HostPlaces.requireWritable(
                List.of(new RepoRecord("app", root, RepoKind.PLAIN, base, 1, List.of())),
                plan,
                new SessionId("calm-otter"),
                writable);
    }

    private static ApplyPlan removing(String... paths) {
        List<Operation> operations =
                List.of(paths).stream()
                        .<Operation>map(path -> new Operation.Remove(TreePath.of(path)))
                        .toList();
        return new ApplyPlan(
                Map.of("app", operations),
                List.of(),
                List.of(),
                List.of(),
                false,
                Optional.empty(),
                List.of());
    }

    @Test
    void namesEachDirectoryThatMayNotBeWrittenOnce() throws Exception {
        Path sub = Files.createDirectory(root.resolve("sub"));
        Files.createDirectory(root.resolve("own"));
        ApplyPlan plan = removing("a", "sub/b", "sub/c", "own/d", "new/e");

        assertThatThrownBy(() -> require(plan, place -> place.endsWith("own")))
                .isInstanceOf(CarrelException.class)
                .hasMessage("nothing was applied: you may not write " + root + ", " + sub);
        assertThatNoException().isThrownBy(() -> require(plan, _ -> true));
    }

    @Test
    void looksNowhereWhereNothingIsToBeDone() {
        assertThatNoException().isThrownBy(() -> require(removing(), _ -> false));
    }
}
