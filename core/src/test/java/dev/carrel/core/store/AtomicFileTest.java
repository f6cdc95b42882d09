package dev.carrel.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.HostOperationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

    @TempDir Path host;

    @Test
    void replacesTheContentAndLeavesNothingBeside() throws Exception {
        Path file = host.resolve("f");

        AtomicFile.write(file, "old".getBytes(UTF_8));
        AtomicFile.write(file, "new".getBytes(UTF_8));

        assertThat(file).hasContent("new");
        assertThat(host.toFile().list()).containsExactly("f");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aLinkIsReplacedNotFollowed() throws Exception {
        Path outside = Files.writeString(host.resolve("outside"), "old");
        Path link = Files.createSymbolicLink(host.resolve("link"), outside);

        AtomicFile.write(link, "new".getBytes(UTF_8));

        assertThat(outside).hasContent("old");
        assertThat(link).hasContent("new");
    }

    @Test
    void aFailureLeavesNothingBeside() throws Exception {
        Path directory = Files.createDirectory(host.resolve("d"));
        Files.createFile(directory.resolve("inside"));

        assertThatThrownBy(() -> AtomicFile.write(directory, new byte[1]))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining(directory.toString());

        assertThat(host.toFile().list()).containsExactly("d");
        assertThatThrownBy(() -> AtomicFile.write(host.resolve("none/f"), new byte[1]))
                .isInstanceOf(HostOperationException.class);
    }

    @Test
    void touchingChangesTheTimeAloneAndMakesWhatIsMissing() throws Exception {
        Path file = Files.writeString(host.resolve("f"), "content");
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));

        AtomicFile.touch(file);
        AtomicFile.touch(host.resolve("new"));

        assertThat(file).hasContent("content");
        assertThat(Files.getLastModifiedTime(file)).isGreaterThan(FileTime.fromMillis(0));
        assertThat(host.resolve("new")).isEmptyFile();
    }

    @Test
    void whatNobodySeesYetIsReplacedWithoutFollowingALink() throws Exception {
        Path outside = Files.writeString(host.resolve("outside"), "old");
        Path link = Files.createSymbolicLink(host.resolve("link"), outside);

        AtomicFile.writeUnseen(Map.of(link, "first".getBytes(UTF_8)));
        AtomicFile.writeUnseen(Map.of(link, "new".getBytes(UTF_8)));

        assertThat(outside).hasContent("old");
        assertThat(link).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(link)))
                .isEqualTo("rw-------");
    }
}
