package dev.carrel.core.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Identity;
import dev.carrel.core.testing.InMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class HostileTreeDenialIT {

    @TempDir(factory = InMemory.class)
    Path host;

    @Test
    void deletesAllOfItAndNothingElse() throws Exception {
        HostileTree hostile = HostileTree.in(host);
        String before = hostile.victimState();
        long openBefore = openDescriptors();
        requireThatLinksLeadToTheVictim(hostile);

        Trees.delete(host, "tree");

        assertThat(host.toFile().list()).containsExactly("victim");
        assertThat(hostile.victimState()).isEqualTo(before);
        assertThat(openDescriptors()).isEqualTo(openBefore);
    }

    private static void requireThatLinksLeadToTheVictim(HostileTree hostile) throws IOException {
        Path through = hostile.tree.resolve("link-to-directory/file");
        assertThat(Files.isSameFile(through, hostile.victim.resolve("file"))).isTrue();
    }

    @Test
    void aLinkInPlaceOfTheTreeIsRemovedItself() throws Exception {
        Path victim = Files.createDirectories(host.resolve("victim/inside"));
        Files.createSymbolicLink(host.resolve("tree"), host.resolve("victim"));

        Trees.delete(host, "tree");
        Trees.delete(host, "tree");

        assertThat(host.resolve("tree")).doesNotExist();
        assertThat(victim).exists();
    }

    @Test
    void walksItWithoutOpeningAnythingButDirectories() throws Exception {
        HostileTree hostile = HostileTree.in(host);
        String before = hostile.victimState();
        Set<FileType> types = EnumSet.noneOf(FileType.class);
        Set<Integer> modes = new HashSet<>();
        int[] deepest = {0};

        try (Dir dir = Dir.open(hostile.tree)) {
            Walk.of(
                    dir,
                    new Walk.Visitor() {
                        @Override
                        public boolean enter(TreePath path, Dir handle, FileStatus status) {
                            deepest[0] = Math.max(deepest[0], path.depth());
                            return path.depth() < 1000;
                        }

                        @Override
                        public void file(TreePath path, Dir parent, FileStatus status) {
                            types.add(status.type());
                            modes.add(status.mode());
                            assertThat(path.toString()).doesNotContain("victim");
                        }

                        @Override
                        public void unreadable(
                                TreePath path,
                                Dir parent,
                                FileStatus status,
                                HostOperationException why) {
                            assertThat(status.mode() & 0500).isNotEqualTo(0500);
                        }
                    });
        }

        assertThat(types)
                .containsExactlyInAnyOrder(
                        FileType.REGULAR,
                        FileType.SYMLINK,
                        FileType.FIFO,
                        FileType.SOCKET,
                        FileType.CHAR_DEVICE);
        assertThat(modes).contains(06755);
        boolean root = Identity.effectiveUid() == 0;
        assertThat(deepest[0]).isEqualTo(root ? 1000 : HostileTree.CLOSED_EVERY - 1);
        // Empty files and directories take no blocks of a tmpfs.
        Files.writeString(hostile.tree.resolve("full"), "x");
        assertThat(Trees.diskUsage(hostile.tree)).isPositive();
        assertThat(hostile.victimState()).isEqualTo(before);
        Trees.delete(host, "tree");
    }

    @Test
    void chownDoesNotLeaveTheTree() throws Exception {
        Path victim = Files.createFile(host.resolve("victim"));
        Path tree = Files.createDirectories(host.resolve("tree/a/b"));
        Files.createFile(tree.resolve("file"));
        Files.createSymbolicLink(tree.resolve("link"), victim);
        boolean root = Identity.effectiveUid() == 0;
        int uid = root ? 12_345 : Identity.effectiveUid();
        int gid = root ? 12_346 : Identity.effectiveGid();

        Trees.chownTree(host.resolve("tree"), uid, gid);

        try (Dir dir = Dir.open(tree);
                Dir top = Dir.open(host)) {
            assertThat(dir.stat().uid()).isEqualTo(uid);
            assertThat(dir.stat(Names.bytes("file")).orElseThrow().gid()).isEqualTo(gid);
            assertThat(dir.stat(Names.bytes("link")).orElseThrow().uid()).isEqualTo(uid);
            assertThat(top.stat(Names.bytes("tree")).orElseThrow().uid()).isEqualTo(uid);
            assertThat(top.stat(Names.bytes("victim")).orElseThrow().uid())
                    .isEqualTo(Identity.effectiveUid());
        }
    }

    @Test
    void directoriesExchangedForLinksMeanwhileAreNotFollowed() throws Exception {
        Path victim = Files.createDirectories(host.resolve("victim"));
        for (int i = 0; i < 50; i++) {
            Files.createFile(victim.resolve("file-" + i));
        }
        AtomicBoolean stop = new AtomicBoolean();
        Thread attacker = Thread.ofPlatform().start(() -> exchange(victim, stop));
        int refused = 0;
        for (int round = 0; round < 60; round++) {
            plantTree();
            try {
                Trees.delete(host, "tree");
            } catch (CarrelException disturbed) {
                refused++;
            }
        }
        stop.set(true);
        attacker.join();

        assertThat(victim.toFile().list()).hasSize(50);
        assertThat(refused).isLessThan(60);
        Trees.delete(host, "tree");
        assertThat(host.resolve("tree")).doesNotExist();
    }

    /** Without following what the attacker put there. */
    private void plantTree() {
        byte[] name = Names.bytes("tree");
        try (Dir top = Dir.open(host)) {
            if (top.stat(name).isEmpty()) {
                top.makeDir(name, 0700);
            }
            try (Dir tree = top.openDir(name)) {
                tree.makeDir(Names.bytes("a"), 0700);
                try (Dir a = tree.openDir(Names.bytes("a"))) {
                    a.makeDir(Names.bytes("b"), 0700);
                }
            }
        } catch (CarrelException disturbed) {
            Thread.onSpinWait();
        }
    }

    /** Puts a link to the victim in the place of a directory, and back, as fast as it can. */
    private void exchange(Path victim, AtomicBoolean stop) {
        try (Dir top = Dir.open(host)) {
            while (!stop.get()) {
                try (Dir tree = top.openDir(Names.bytes("tree"))) {
                    tree.rename(Names.bytes("a"), tree, Names.bytes("aside"));
                    tree.symlink(Names.bytes(victim.toString()), Names.bytes("a"));
                    tree.unlink(Names.bytes("a"));
                    tree.rename(Names.bytes("aside"), tree, Names.bytes("a"));
                } catch (CarrelException deletedMeanwhile) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
