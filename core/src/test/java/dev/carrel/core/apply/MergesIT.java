package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.InMemory;
import dev.carrel.core.testing.RandomTree;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergesIT {

    private static final String LINES = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

    private @TempDir(factory = InMemory.class) Path temp;
    private Bench bench;

    @BeforeEach
    void makeBench() {
        bench = new Bench(temp.resolve("bench"));
        Bench.write(bench.host, "f", LINES);
        Bench.write(bench.host, "other", "other\n");
        bench.start();
    }

    private static String with(String content, String line, String other) {
        return content.replace(line + "\n", other + "\n");
    }

    private void host(String content) {
        Bench.write(bench.host, "f", content);
    }

    private Bench session(String content) {
        Bench.write(bench.wanted, "f", content);
        return bench.session(1);
    }

    private void requireHost(String content) {
        assertThat(bench.host.resolve("f")).hasContent(content);
    }

    private static void chmod(Path root, String name, int mode) {
        try (Dir dir = Dir.open(root)) {
            dir.chmod(Names.bytes(name), mode);
        }
    }

    private int hostMode(String name) {
        try (Dir dir = Dir.open(bench.host)) {
            return dir.stat(Names.bytes(name)).orElseThrow().mode();
        }
    }

    @Test
    void whatWasMergedOnceIsNotWrittenOver() throws Exception {
        host(with(LINES, "9", "host"));
        session(with(LINES, "1", "session")).apply();
        String merged = with(with(LINES, "9", "host"), "1", "session");
        requireHost(merged);
        assertThat(bench.plan().operations().get("repo")).isEmpty();
        session(with(with(LINES, "1", "session"), "5", "more")).apply();
        requireHost(with(merged, "5", "more"));
        host(with(with(merged, "5", "more"), "7", "also"));
        session(with(with(LINES, "1", "again"), "5", "more")).apply();
        requireHost(with(with(with(merged, "5", "more"), "7", "also"), "session", "again"));
    }

    @Test
    void whatWasAppliedIsWhereTheNextMergeBegins() throws Exception {
        session(with(LINES, "1", "session")).apply();
        // The user takes the session's line back, and the session goes on elsewhere.
        host(with(LINES, "4", "host"));
        session(with(with(LINES, "1", "session"), "9", "end")).apply();
        requireHost(with(with(LINES, "4", "host"), "9", "end"));
    }

    @Test
    void aFileThatOnlyTheUserWentOnWithIsNoConflict() throws Exception {
        session(with(LINES, "1", "session")).apply();
        host("mine\n");
        Bench.write(bench.wanted, "other", "changed\n");
        bench.session(2).apply();
        requireHost("mine\n");
        assertThat(bench.host.resolve("other")).hasContent("changed\n");
    }

    @Test
    void aFileWhoseAncestorWasNotKeptIsAConflict() throws Exception {
        host(with(LINES, "9", "host"));
        session(with(LINES, "1", "session")).apply();
        Bench.delete(bench.state, "ancestors");
        session(with(LINES, "1", "other"));
        assertThat(bench.conflicts())
                .containsExactly("repo/f: the host's file changed since the session's start");
    }

    @Test
    void whatTheSessionTakesBackIsTakenOutOfAMerge() throws Exception {
        host(with(LINES, "9", "host"));
        session(with(LINES, "1", "session")).apply();
        session(LINES).apply();
        requireHost(with(LINES, "9", "host"));
    }

    @Test
    void aMergeIsUndoneAndCanBeMadeAgain() throws Exception {
        host(with(LINES, "9", "host"));
        session(with(LINES, "1", "session")).apply();
        bench.undo();
        requireHost(with(LINES, "9", "host"));
        bench.apply();
        requireHost(with(with(LINES, "9", "host"), "1", "session"));
    }

    @Test
    void allPermissionBitsAreMerged() throws Exception {
        chmod(bench.host, "f", 0600);
        chmod(bench.wanted, "other", 0600);
        Bench.write(bench.host, "other", "host\n");
        session(with(LINES, "1", "session")).apply();
        assertThat(hostMode("f")).isEqualTo(0600);
        assertThat(hostMode("other")).isEqualTo(0600);
        assertThat(bench.host.resolve("other")).hasContent("host\n");
        chmod(bench.host, "other", 0640);
        chmod(bench.wanted, "other", 0604);
        Bench.write(bench.wanted, "other", "other\n");
        bench.session(2);
        assertThat(bench.conflicts()).hasSize(1);
    }

    @Test
    void permissionBitsFollowARenamedFile() throws Exception {
        Files.move(bench.host.resolve("f"), bench.host.resolve("moved"));
        chmod(bench.wanted, "f", 0600);
        session(with(LINES, "1", "session")).apply();
        assertThat(bench.host.resolve("f")).doesNotExist();
        assertThat(bench.host.resolve("moved")).hasContent(with(LINES, "1", "session"));
        assertThat(hostMode("moved")).isEqualTo(0600);
    }

    @Test
    void renamesAreFoundAmongFilesThatAreNotIgnored() throws Exception {
        Files.move(bench.host.resolve("f"), bench.host.resolve("secret"));
        session(with(LINES, "1", "session"));
        bench.ignore = (_, _) -> Set.of(TreePath.of("secret"));
        assertThat(bench.conflicts())
                .containsExactly("repo/f: the session changed it, the host deleted it");
    }

    @Test
    void theVersionsOfAConflictAreWrittenForLookingAtAndNowhereElse() throws Exception {
        Bench.delete(bench.wanted, "other");
        Files.createSymbolicLink(bench.wanted.resolve("other"), Path.of("/etc/passwd"));
        Bench.write(bench.host, "other", "mine\n");
        host(with(LINES, "1", "host"));
        session(with(LINES, "1", "session"));
        SortedMap<TreePath, String> before = bench.image();
        ApplyPlan plan = ConflictFiles.write(bench.request(), bench.plan());
        Path files = plan.conflictFiles().orElseThrow();
        assertThat(plan.conflicts()).hasSize(2);
        assertThat(files.resolve("base/repo/f")).hasContent(LINES);
        assertThat(files.resolve("host/repo/f")).hasContent(with(LINES, "1", "host"));
        assertThat(files.resolve("session/repo/f")).hasContent(with(LINES, "1", "session"));
        assertThat(files.resolve("session/repo/other")).isRegularFile().hasContent("/etc/passwd");
        assertThat(bench.image()).isEqualTo(before);
        assertThatThrownBy(() -> Applies.run(bench.files(), plan))
                .isInstanceOf(ConflictException.class);
        assertThat(bench.image()).isEqualTo(before);
    }

    @Test
    void whatIsNotInConflictIsTakenIfAskedFor() throws Exception {
        host(with(LINES, "1", "host"));
        Bench.write(bench.wanted, "fresh", "fresh\n");
        session(with(LINES, "1", "session"));
        bench.partial = true;
        bench.apply();
        requireHost(with(LINES, "1", "host"));
        assertThat(bench.host.resolve("fresh")).hasContent("fresh\n");
        assertThat(bench.conflicts()).hasSize(1);
    }

    @Test
    void aPartialApplyThatStopsAfterAnyStepIsFinishedOrUndone() throws Exception {
        int steps = Integer.MAX_VALUE;
        for (int stop = 0; stop <= steps; stop++) {
            bench = new Bench(temp.resolve("stop" + stop));
            Bench.write(bench.host, "f", LINES);
            Bench.write(bench.host, "g", LINES);
            bench.start();
            host(with(LINES, "1", "host"));
            Bench.write(bench.host, "g", with(LINES, "1", "host"));
            Bench.write(bench.wanted, "g", with(LINES, "9", "session"));
            session(with(LINES, "1", "session"));
            bench.partial = true;
            SortedMap<TreePath, String> before = bench.image();
            List<Step> all = bench.plan().steps();
            steps = all.size();
            for (Step step : all.subList(0, stop)) {
                step.run();
            }
            boolean finished =
                    bench.recover().equals(Optional.of(Recovery.FINISHED)) || stop == steps;
            if (!finished) {
                assertThat(bench.image()).isEqualTo(before);
                bench.apply();
            }
            assertThat(bench.host.resolve("g"))
                    .hasContent(with(with(LINES, "1", "host"), "9", "session"));
            requireHost(with(LINES, "1", "host"));
        }
    }

    @Test
    void anOldGitMakesAConflictOfWhatItWouldHaveToMerge() throws Exception {
        ProcessRunner real = bench.runner;
        bench.runner =
                command ->
                        real.start(
                                command.argv().contains("version")
                                        ? Command.of("echo", "git version 2.30.2")
                                        : command);
        Bench.delete(bench.host, "other");
        Bench.delete(bench.wanted, "other");
        host(with(LINES, "1", "host"));
        session(with(LINES, "9", "session"));
        assertThat(bench.conflicts())
                .containsExactly(
                        "repo/f: merging needs git 2.38 or newer, this is git version 2.30.2");
    }

    @Test
    void aDirectoryThatTheHostHasNoMoreIsMadeAgain() throws Exception {
        Bench.write(bench.host, "d/x", "x\n");
        bench.start();
        Bench.delete(bench.host, "d");
        Bench.write(bench.wanted, "d/new", "unlike all others\n");
        bench.session(1).apply();
        assertThat(bench.host.resolve("d").toFile().list()).containsExactly("new");
    }

    @Test
    void filesAddedToADirectoryThatTheHostRenamedAreAConflictAsForGit() throws Exception {
        Bench.write(bench.host, "d/x", LINES + "x\n");
        bench.start();
        Files.move(bench.host.resolve("d"), bench.host.resolve("e"));
        Bench.write(bench.wanted, "d/new", "unlike all others\n");
        bench.session(1);
        assertThat(bench.conflicts()).isNotEmpty();
    }

    @Test
    void aDirectoryIsNotTakenForRenamedBecauseOneFileLeftIt() throws Exception {
        Bench.write(bench.host, "d/x", LINES + "x\n");
        Bench.write(bench.host, "d/y", "quite another\n");
        bench.start();
        Files.createDirectory(bench.host.resolve("e"));
        Files.move(bench.host.resolve("d/x"), bench.host.resolve("e/x"));
        Bench.write(bench.wanted, "d/new", "unlike all others\n");
        Bench.write(bench.wanted, "d/x", with(LINES, "1", "session") + "x\n");
        bench.session(1).apply();
        assertThat(bench.host.resolve("d/new")).exists();
        assertThat(bench.host.resolve("e/x")).hasContent(with(LINES, "1", "session") + "x\n");
    }

    @Test
    void twoRandomSidesAreMergedAsGitDoes() throws Exception {
        int clean = 0;
        for (long seed = 0; seed < 12; seed++) {
            Bench random = new Bench(temp.resolve("random" + seed));
            new RandomTree(random.host, seed).change(50);
            random.start();
            new RandomTree(random.wanted, seed + 1_000).change(6);
            new RandomTree(random.host, seed + 3_000).change(6);
            random.session(seed);
            Path tree = Files.createDirectory(temp.resolve("tree" + seed));
            Set<TreePath> conflicts =
                    new GitMerge(tree, temp.resolve("git" + seed))
                            .run(random.base, random.host, random.wanted);
            ApplyPlan plan = random.plan();
            if (!conflicts.isEmpty()) {
                assertThat(plan.conflicts()).as("seed " + seed + ": " + conflicts).isNotEmpty();
                continue;
            }
            boolean onlyOurs =
                    plan.conflicts().stream()
                            .allMatch(c ->
                                    c.reason().contains("permission bits")
                                            || c.reason().contains("director"));
            assertThat(onlyOurs).as("seed " + seed + ": " + plan.conflicts()).isTrue();
            if (plan.conflicts().isEmpty()) {
                clean++;
                Applies.run(random.files(), plan);
                assertThat(asGitSees(random.image()))
                        .as("seed " + seed)
                        .isEqualTo(asGitSees(TreeImage.of(tree)));
            }
        }
        assertThat(clean).isPositive();
    }

    private static SortedMap<TreePath, String> asGitSees(SortedMap<TreePath, String> image) {
        SortedMap<TreePath, String> seen = new TreeMap<>();
        image.forEach((path, text) -> {
            if (text.startsWith("file ")) {
                int mode = Integer.parseInt(text.substring(5, 8), 8);
                seen.put(path, ((mode & 0100) != 0) + text.substring(8));
            } else if (text.startsWith("link")) {
                seen.put(path, text);
            }
        });
        return seen;
    }
}
