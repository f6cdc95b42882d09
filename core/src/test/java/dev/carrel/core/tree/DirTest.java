package dev.carrel.core.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.posix.Identity;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirTest {

    @TempDir Path host;
    private Dir dir = Dir.open(Path.of("/"));

    @BeforeEach
    void open() {
        dir.close();
        dir = Dir.open(host);
    }

    @AfterEach
    void close() {
        dir.close();
    }

    @Test
    void writesAndReadsAFileOfAnySize() throws Exception {
        byte[] content = new byte[300_000];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 31);
        }
        write("big", content, 0640);

        assertThat(Files.readAllBytes(host.resolve("big"))).isEqualTo(content);
        assertThat(read("big")).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0400, 0666, 0777, 04755, 06755, 01644})
    void createsFilesOfExactlyTheMode(int mode) throws Exception {
        write("f", new byte[] {1}, mode);

        assertThat(status("f").mode()).isEqualTo(mode);
        assertThat(Files.size(host.resolve("f"))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0555, 0777, 02770, 01777})
    void createsDirectoriesOfExactlyTheMode(int mode) {
        dir.makeDir(name("d"), mode);

        assertThat(status("d").mode()).isEqualTo(mode);
    }

    @Test
    void createNeverReplacesNorFollows() throws Exception {
        Path outside = Files.writeString(host.resolve("outside"), "old");
        dir.symlink(name("outside"), name("link"));
        dir.symlink(name("not-there"), name("dangling"));

        assertThatThrownBy(() -> dir.create(name("link"), 0600))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining(host + "/link: it exists already (EEXIST)");
        assertThatThrownBy(() -> dir.create(name("dangling"), 0600))
                .isInstanceOf(HostOperationException.class);
        assertThat(Files.readString(outside)).isEqualTo("old");
        assertThat(host.resolve("not-there")).doesNotExist();
    }

    @Test
    @Timeout(10)
    void readsRegularFilesOnlyAndNeverWaits() {
        dir.makeFifo(name("fifo"), 0600);
        dir.makeDir(name("dir"), 0700);
        dir.symlink(name("/etc/hostname"), name("link"));

        assertThatThrownBy(() -> dir.read(name("fifo")))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("it is a FIFO, not a regular file");
        assertThatThrownBy(() -> dir.read(name("dir"))).hasMessageContaining("it is a directory");
        assertThatThrownBy(() -> dir.read(name("link"))).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> dir.read(name("none"))).hasMessageContaining("ENOENT");
    }

    @Test
    void openDirDoesNotFollowLinks() {
        dir.makeDir(name("real"), 0700);
        dir.symlink(name("real"), name("link"));
        dir.makeFifo(name("fifo"), 0600);

        assertThat(dir.openDirIfExists(name("link"))).isEmpty();
        assertThat(dir.openDirIfExists(name("fifo"))).isEmpty();
        assertThat(dir.openDirIfExists(name("none"))).isEmpty();
        assertThatThrownBy(() -> dir.openDir(name("link")))
                .isInstanceOf(HostOperationException.class);
        try (Dir real = dir.openDir(name("real"))) {
            assertThat(real.stat().type()).isEqualTo(FileType.DIRECTORY);
            assertThat(real).hasToString(host + "/real");
        }
    }

    @Test
    void walksComponentByComponentWithoutFollowing() throws Exception {
        Files.createDirectories(host.resolve("a/b/c"));
        Files.writeString(host.resolve("a/b/c/file"), "x");
        dir.symlink(name("a"), name("link"));

        try (Dir found = dir.walk(TreePath.of("a/b/c")).orElseThrow();
                Dir self = dir.walk(TreePath.ROOT).orElseThrow()) {
            assertThat(found.names()).containsExactly(name("file"));
            assertThat(self.stat().isSameFile(dir.stat())).isTrue();
        }
        assertThat(dir.walk(TreePath.of("link/b"))).isEmpty();
        assertThat(dir.walk(TreePath.of("a/none/c"))).isEmpty();
        assertThat(dir.walk(TreePath.of("a/b/c/file"))).isEmpty();
    }

    @Test
    void listsNamesOfAnyBytesSortedUnsigned() {
        List<byte[]> names = new ArrayList<>();
        names.add(name("A\nb"));
        names.add(name("a"));
        names.add(new byte[] {(byte) 0x80, (byte) 0xff});
        byte[] longest = new byte[255];
        java.util.Arrays.fill(longest, (byte) 0xfe);
        names.add(longest);
        names.forEach(n -> dir.makeDir(n, 0700));

        assertThat(dir.names()).containsExactlyElementsOf(names);
        assertThat(dir.names()).as("a second time").hasSize(4);
    }

    @Test
    void listsThousandsOfNames() {
        for (int i = 0; i < 3000; i++) {
            dir.makeFifo(name("a-rather-long-name-to-fill-the-buffer-" + i), 0600);
        }

        assertThat(dir.names()).hasSize(3000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/", "\0"})
    void refusesNamesThatAreNotOneComponent(String bad) {
        assertThatThrownBy(() -> dir.stat(name(bad))).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> dir.unlink(name(bad))).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> dir.openDirIfExists(name(bad)))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> dir.rename(name("a"), dir, name(bad)))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void tellsTheStatusOfTheEntryItself() throws Exception {
        Path file = Files.writeString(host.resolve("f"), "hello");
        dir.symlink(name("f"), name("link"));
        dir.link(name("f"), dir, name("second"));
        dir.makeWhiteout(name("gone"));

        FileStatus status = status("f");
        assertThat(status.type()).isEqualTo(FileType.REGULAR);
        assertThat(status.size()).isEqualTo(5);
        assertThat(status.links()).isEqualTo(2);
        assertThat(status.uid()).isEqualTo(Identity.effectiveUid());
        assertThat(status.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
        assertThat(status.modified()).isEqualTo(Files.getLastModifiedTime(file).toInstant());
        assertThat(status.allocatedBytes()).isGreaterThanOrEqualTo(0);
        assertThat(status("second").isSameFile(status)).isTrue();
        assertThat(status("link").type()).isEqualTo(FileType.SYMLINK);
        assertThat(status("gone").isWhiteout()).isTrue();
        assertThat(dir.stat(name("none"))).isEmpty();
    }

    @Test
    void linksKeepTheirBytes() {
        byte[] target = new byte[3000];
        java.util.Arrays.fill(target, (byte) 0xf0);
        dir.symlink(target, name("link"));

        assertThat(dir.readLink(name("link"))).isEqualTo(target);
        assertThatThrownBy(() -> dir.readLink(name("none"))).hasMessageContaining("ENOENT");
    }

    @Test
    void renameReplacesAndExclusiveRenameDoesNot() throws Exception {
        Files.writeString(host.resolve("a"), "new");
        Files.writeString(host.resolve("b"), "old");

        assertThatThrownBy(() -> dir.renameExclusive(name("a"), dir, name("b")))
                .isInstanceOf(ConflictException.class);
        assertThat(host.resolve("b")).hasContent("old");
        dir.rename(name("a"), dir, name("b"));
        assertThat(host.resolve("b")).hasContent("new");
        dir.renameExclusive(name("b"), dir, name("c"));
        assertThat(dir.names()).containsExactly(name("c"));
    }

    @Test
    void changesModesOfUnreadableEntriesButNeverThroughALink() throws Exception {
        Path outside = Files.createFile(host.resolve("outside"));
        dir.makeDir(name("closed"), 0);
        write("secret", new byte[0], 0);
        dir.symlink(name("outside"), name("link"));
        dir.makeFifo(name("fifo"), 0600);
        int before = (int) Files.getAttribute(outside, "unix:mode");

        dir.chmod(name("closed"), 0750);
        dir.chmod(name("secret"), 04711);

        assertThat(status("closed").mode()).isEqualTo(0750);
        assertThat(status("secret").mode()).isEqualTo(04711);
        assertThatThrownBy(() -> dir.chmod(name("link"), 0777))
                .hasMessageContaining("it is a symbolic link");
        assertThatThrownBy(() -> dir.chmod(name("fifo"), 0777)).hasMessageContaining("a FIFO");
        assertThatThrownBy(() -> dir.chmodDir(name("secret"), 0777))
                .isInstanceOf(HostOperationException.class);
        assertThat(Files.getAttribute(outside, "unix:mode")).isEqualTo(before);
    }

    @Test
    void setsTimesAndOwnersOfLinksThemselves() throws Exception {
        Path outside = Files.createFile(host.resolve("outside"));
        Instant before = Files.getLastModifiedTime(outside).toInstant();
        dir.symlink(name("outside"), name("link"));
        Instant time = Instant.ofEpochSecond(-5, 123_456_789);

        dir.setModified(name("link"), time);
        dir.chown(name("link"), Identity.effectiveUid(), Identity.effectiveGid());

        assertThat(status("link").modified()).isEqualTo(time);
        assertThat(status("outside").modified()).isEqualTo(before);
    }

    @Test
    void copiesContentAndKeepsHoles() throws Exception {
        try (FileChannel sparse =
                FileChannel.open(
                        host.resolve("sparse"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.SPARSE,
                        StandardOpenOption.WRITE)) {
            sparse.write(UTF_8.encode("start"), 0);
            sparse.write(UTF_8.encode("middle"), 5_000_000);
            sparse.position(20_000_000);
            sparse.write(UTF_8.encode("x"), 19_999_999);
        }
        dir.cloneOrCopyFrom(dir, name("sparse"), name("copy"), 0751, Durability.SYNCED);

        assertThat(read("copy")).isEqualTo(read("sparse"));
        assertThat(status("copy").mode()).isEqualTo(0751);
        assertThat(status("copy").allocatedBytes())
                .isLessThanOrEqualTo(status("sparse").allocatedBytes() + 65_536);
    }

    @Test
    void copiesEmptyFilesAndFilesThatAreOnlyAHole() throws Exception {
        write("empty", new byte[0], 0600);
        try (FileChannel hole =
                FileChannel.open(
                        host.resolve("hole"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE)) {
            hole.write(UTF_8.encode("x"), 100_000);
            hole.truncate(100_000);
        }

        dir.cloneOrCopyFrom(dir, name("empty"), name("empty2"), 0600);
        dir.cloneOrCopyFrom(dir, name("hole"), name("hole2"), 0600);

        assertThat(status("empty2").size()).isZero();
        assertThat(read("hole2")).isEqualTo(new byte[100_000]);
    }

    @Test
    void copyRefusesLinksAndTakenNames() throws Exception {
        Files.writeString(host.resolve("f"), "content");
        Files.writeString(host.resolve("taken"), "old");
        dir.symlink(name("f"), name("link"));

        assertThatThrownBy(() -> dir.cloneOrCopyFrom(dir, name("link"), name("new"), 0600))
                .isInstanceOf(HostOperationException.class);
        assertThatThrownBy(() -> dir.cloneOrCopyFrom(dir, name("f"), name("taken"), 0600))
                .isInstanceOf(HostOperationException.class);
        assertThat(host.resolve("new")).doesNotExist();
        assertThat(host.resolve("taken")).hasContent("old");
    }

    @Test
    void opaqueMarksAreReadAndSet() {
        dir.makeDir(name("d"), 0700);
        try (Dir d = dir.openDir(name("d"))) {
            assertThat(d.isOpaque()).isFalse();
            d.setOpaque();
            assertThat(d.isOpaque()).isTrue();
            d.sync();
        }
    }

    @Test
    void missingDirectoriesOfTheHostAreAnAnswerOrAnError() {
        assertThat(Dir.openIfExists(host.resolve("none"))).isEmpty();
        assertThatThrownBy(() -> Dir.open(host.resolve("none")))
                .isInstanceOf(HostOperationException.class)
                .hasMessage(
                        "cannot open the directory "
                                + host
                                + "/none: no such file or directory (ENOENT)");
    }

    @Test
    void aClosedDirectoryIsNotUsed() {
        Dir closed = dir.walk(TreePath.ROOT).orElseThrow();
        closed.close();
        closed.close();

        assertThatThrownBy(closed::names).isInstanceOf(IllegalStateException.class);
    }

    private void write(String name, byte[] content, int mode) throws Exception {
        try (OutputStream out = dir.create(name(name), mode)) {
            out.write(content);
        }
    }

    private byte[] read(String name) throws Exception {
        try (InputStream in = dir.read(name(name))) {
            return in.readAllBytes();
        }
    }

    private FileStatus status(String name) {
        return dir.stat(name(name)).orElseThrow();
    }

    private static byte[] name(String name) {
        return Names.bytes(name);
    }
}
