package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestTest {

    private static final TreePath ODD = TreePath.ofBytes(new byte[] {'d', '/', (byte) 0xe9, '\n'});

    @TempDir Path directory;

    private FileStatus status() throws Exception {
        Files.writeString(directory.resolve("file"), "content");
        try (Dir dir = Dir.open(directory)) {
            return dir.stat("file".getBytes(StandardCharsets.UTF_8)).orElseThrow();
        }
    }

    @Test
    void readsBackWhatWasWritten() throws Exception {
        FileStatus status = status();
        Path file = directory.resolve("manifest");
        try (Manifest.Writer writer = new Manifest.Writer(file)) {
            writer.add(ODD, status);
        }
        Manifest manifest = Manifest.load(file);

        assertThat(manifest.entry(ODD))
                .hasValueSatisfying(e -> assertThat(e.matches(status)).isTrue());
        assertThat(manifest.entry(TreePath.of("file"))).isEmpty();
    }

    @Test
    void cutManifestIsBroken() throws Exception {
        Path file = directory.resolve("manifest");
        try (Manifest.Writer writer = new Manifest.Writer(file)) {
            writer.add(ODD, status());
        }
        byte[] content = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(content, content.length - 3));

        assertThatThrownBy(() -> Manifest.load(file)).isInstanceOf(BrokenStoreException.class);
    }
}
