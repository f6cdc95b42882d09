package dev.carrel.core.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.HostOperationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalkTest {

    @TempDir Path host;

    @Test
    void visitsInTheOrderOfPathsWithoutFollowing() throws Exception {
        Files.createDirectories(host.resolve("a/b"));
        Files.createFile(host.resolve("a/b/file"));
        Files.createFile(host.resolve("a.txt"));
        Files.createDirectory(host.resolve("skipped"));
        Files.createFile(host.resolve("skipped/inside"));
        Files.createSymbolicLink(host.resolve("link"), host.resolve("a"));
        Recorder recorder = new Recorder();

        walk(recorder, Walk.Limits.STANDARD);

        assertThat(recorder.seen)
                .containsExactly(
                        "enter ",
                        "enter a",
                        "enter a/b",
                        "file a/b/file",
                        "leave a/b",
                        "leave a",
                        "file a.txt",
                        "file link",
                        "enter skipped");
    }

    @Test
    void handlesServeEveryEntryAlsoBelowTheNumberOfOpenDirectories() throws Exception {
        int depth = 150;
        Path at = host;
        for (int i = 0; i < depth; i++) {
            at = Files.createDirectory(at.resolve("m"));
            Files.createFile(at.resolve("a-before"));
            Files.createFile(at.resolve("z-after"));
        }
        List<String> names = new ArrayList<>();
        long openBefore = openDescriptors();
        long[] mostOpen = {0};

        walk(
                new Recorder() {
                    @Override
                    public void file(TreePath path, Dir parent, FileStatus status) {
                        assertThat(parent.stat(path.name()).orElseThrow().inode())
                                .isEqualTo(status.inode());
                        names.add(path.depth() + " " + Names.display(path.name()));
                        mostOpen[0] = Math.max(mostOpen[0], openDescriptors());
                    }
                },
                Walk.Limits.STANDARD);

        assertThat(names).hasSize(2 * depth).doesNotHaveDuplicates();
        assertThat(names.getLast()).isEqualTo("2 z-after");
        assertThat(mostOpen[0] - openBefore).isLessThan(100);
        assertThat(openDescriptors()).isLessThanOrEqualTo(openBefore + 2);
    }

    @Test
    void stopsAtTheLimits() throws Exception {
        Files.createDirectories(host.resolve("a/b/c"));

        assertThatThrownBy(() -> walk(new Recorder(), new Walk.Limits(2, 100)))
                .isInstanceOf(HostOperationException.class)
                .hasMessage("the tree " + host + " is deeper than 2 levels");
        assertThatThrownBy(() -> walk(new Recorder(), new Walk.Limits(10, 2)))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("has more than 2 entries");
        Recorder enough = new Recorder();
        walk(enough, new Walk.Limits(3, 3));
        assertThat(enough.seen).contains("enter a/b/c");
    }

    @Test
    void countsHardLinksOnceAndLinksNotAtAll() throws Exception {
        Path big = Files.write(host.resolve("big"), new byte[1 << 20]);
        Path tree = Files.createDirectory(host.resolve("tree"));
        Files.write(tree.resolve("one"), new byte[1 << 18]);
        Files.createLink(tree.resolve("two"), tree.resolve("one"));
        Files.createSymbolicLink(tree.resolve("link"), big);

        long bytes = Trees.diskUsage(tree);

        assertThat(bytes).isBetween(1L << 18, (1L << 18) + 65_536);
    }

    private void walk(Walk.Visitor visitor, Walk.Limits limits) {
        try (Dir root = Dir.open(host)) {
            Walk.of(root, visitor, limits);
        }
    }

    private static long openDescriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        } catch (java.io.IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static class Recorder implements Walk.Visitor {

        final List<String> seen = new ArrayList<>();

        @Override
        public boolean enter(TreePath dir, Dir handle, FileStatus status) {
            seen.add("enter " + dir);
            return !dir.equals(TreePath.of("skipped"));
        }

        @Override
        public void file(TreePath path, Dir parent, FileStatus status) {
            seen.add("file " + path);
        }

        @Override
        public void leave(TreePath dir, Dir parent, FileStatus status) {
            seen.add("leave " + dir);
        }
    }
}
