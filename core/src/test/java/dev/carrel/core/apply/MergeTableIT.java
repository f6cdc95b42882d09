package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.InMemory;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every change of one side against every change of the other, each pair in a directory of its own:
 * merged all at once, by an apply and by git in a repository with the same two branches.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MergeTableIT {

    private static final int LINES = 30;

    private SortedMap<TreePath, String> before = new TreeMap<>();
    private SortedMap<TreePath, String> after = new TreeMap<>();
    private SortedMap<TreePath, String> byGit = new TreeMap<>();
    private Set<TreePath> gitConflicts = new TreeSet<>();
    private List<ApplyConflict> conflicts = List.of();

    /** What a side does with the file {@code f}, or beside it. */
    enum Side {
        NONE,
        EDIT,
        OVERLAP,
        SAME_EDIT,
        DELETE,
        MODE,
        MODE_AND_EDIT,
        RENAME,
        RENAME_ALIKE,
        RENAME_AND_EDIT,
        LINK,
        LINK_ALIKE,
        DIRECTORY,
        BINARY,
        ADD,
        ADD_ALIKE
    }

    record Case(Side host, Side session) {
        String directory() {
            return host + "-" + session;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(Side.values())
                .flatMap(host -> Stream.of(Side.values()).map(session -> new Case(host, session)));
    }

    @BeforeAll
    void mergeAll(@TempDir(factory = InMemory.class) Path temp) throws Exception {
        Bench bench = new Bench(temp.resolve("bench"));
        for (Case each : cases().toList()) {
            Bench.write(bench.host, each.directory() + "/f", String.join("", lines(each)));
        }
        bench.start();
        for (Case each : cases().toList()) {
            change(bench.host.resolve(each.directory()), each, each.host(), "host");
            change(bench.wanted.resolve(each.directory()), each, each.session(), "session");
        }
        bench.session(1);
        Path tree = Files.createDirectory(temp.resolve("tree"));
        gitConflicts =
                new GitMerge(tree, temp.resolve("git")).run(bench.base, bench.host, bench.wanted);
        byGit = TreeImage.of(tree);
        before = bench.image();
        bench.partial = true;
        ApplyPlan plan = bench.plan();
        conflicts = plan.conflicts();
        Applies.run(bench.files(), plan);
        after = bench.image();
    }

    /** Unlike those of any other case, so that nothing seems renamed from one to another. */
    private static List<String> lines(Case each) {
        Random random = new Random(each.directory().hashCode());
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            lines.add(Long.toHexString(random.nextLong()) + "\n");
        }
        return lines;
    }

    private static void change(Path directory, Case each, Side change, String side)
            throws IOException {
        Path file = directory.resolve("f");
        List<String> lines = lines(each);
        int own = side.equals("host") ? 2 : LINES - 2;
        switch (change) {
            case NONE -> {}
            case EDIT -> edit(file, lines, own, side);
            case OVERLAP -> edit(file, lines, LINES / 2, side);
            case SAME_EDIT -> edit(file, lines, LINES / 2, "both");
            case DELETE -> Files.delete(file);
            case MODE -> executable(file);
            case MODE_AND_EDIT -> {
                edit(file, lines, own, side);
                executable(file);
            }
            case RENAME -> Files.move(file, directory.resolve(side));
            case RENAME_ALIKE -> Files.move(file, directory.resolve("new"));
            case RENAME_AND_EDIT -> {
                edit(file, lines, own, side);
                Files.move(file, directory.resolve(side));
            }
            case LINK -> link(file, side);
            case LINK_ALIKE -> link(file, "both");
            case DIRECTORY -> {
                Files.delete(file);
                Bench.write(directory, "f/inner", each.directory() + side + "\n");
            }
            case BINARY -> Files.write(file, Names.bytes(lines + "\0" + side));
            case ADD -> Bench.write(directory, "added", each.directory() + side + "\n");
            case ADD_ALIKE -> Bench.write(directory, "added", each.directory() + "\n");
        }
    }

    private static void edit(Path file, List<String> lines, int line, String text)
            throws IOException {
        List<String> edited = new ArrayList<>(lines);
        edited.set(line, text + "\n");
        Files.writeString(file, String.join("", edited));
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void link(Path file, String target) throws IOException {
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of(target));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void anApplyMergesAsGitDoes(Case each) {
        TreePath directory = TreePath.of(each.directory());
        boolean refusedByGit = gitConflicts.stream().anyMatch(p -> p.startsWith(directory));
        List<ApplyConflict> refused =
                conflicts.stream().filter(c -> c.path().startsWith(directory)).toList();
        assertThat(!refused.isEmpty()).as("in conflict: " + refused).isEqualTo(refusedByGit);
        SortedMap<TreePath, String> now = files(after, directory);
        if (!refusedByGit) {
            assertThat(now).isEqualTo(files(byGit, directory));
            return;
        }
        for (ApplyConflict conflict : refused) {
            assertThat(now.get(conflict.path()))
                    .as(conflict.toString())
                    .isEqualTo(files(before, directory).get(conflict.path()));
        }
        assertThat(now).containsAllEntriesOf(files(before, directory));
    }

    private static SortedMap<TreePath, String> files(
            SortedMap<TreePath, String> image, TreePath directory) {
        SortedMap<TreePath, String> files = new TreeMap<>();
        image.forEach((path, text) -> {
            if (path.startsWith(directory) && !text.startsWith("directory")) {
                files.put(path, text);
            }
        });
        return files;
    }
}
