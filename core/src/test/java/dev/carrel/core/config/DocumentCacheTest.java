package dev.carrel.core.config;

import static dev.carrel.core.config.SettingsFiles.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Remembering what files say must never change what they say. */
class DocumentCacheTest {

    @TempDir Path directory;
    private SettingsFiles files;
    private Path repository;

    @BeforeEach
    void home() throws IOException {
        files = new SettingsFiles(directory);
        repository = files.repository("src/app");
        files.write("src/carrel.yaml", "sandbox: {hostname: real}\n");
    }

    private Path cache() {
        return files.home.resolve(".cache/carrel/config");
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> all = Files.list(cache())) {
            return all.toList();
        }
    }

    private String hostname() {
        return value(files.load(repository), "sandbox.hostname");
    }

    /** Puts another answer where the real one is remembered. */
    private void lie() throws IOException {
        for (Path entry : entries()) {
            Files.writeString(entry, Files.readString(entry).replace("real", "lie"));
        }
    }

    @Test
    void aFileIsReadOnce() throws IOException {
        assertThat(hostname()).isEqualTo("real");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache())))
                .isEqualTo("rwx------");
        lie();
        assertThat(hostname()).isEqualTo("lie"); // it is not read again

        files.write("src/carrel.yaml", "sandbox: {hostname: real}  # changed\n");
        assertThat(hostname()).isEqualTo("real");
    }

    @Test
    void anotherVersionReadsItAgain() throws IOException {
        hostname();
        lie();
        ConfigRequest request =
                new ConfigRequest(
                        files.named,
                        files.environment,
                        files.home,
                        files.home,
                        files.uid,
                        () -> "next");

        assertThat(
                        value(
                                new Configurations(request)
                                        .load(List.of(new RepoPlace(repository, repository))),
                                "sandbox.hostname"))
                .isEqualTo("real");
    }

    @Test
    void aBrokenEntryIsReadAgain() throws IOException {
        hostname();
        for (String broken :
                List.of("", "{", "[]", "{\"entries\":[{}],\"problems\":[]}", "{\"entries\":3}")) {
            for (Path entry : entries()) {
                Files.writeString(entry, broken);
            }
            assertThat(hostname()).isEqualTo("real");
        }
    }

    @Test
    void aCacheThatOthersCanWriteIsNotUsed() throws IOException {
        hostname();
        lie();
        Files.setPosixFilePermissions(cache(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(hostname()).isEqualTo("real");
    }

    @Test
    void filesWithErrorsAreNotRemembered() {
        files.write("src/carrel.yaml", "enabled: 5\n");
        assertThat(files.problems(repository)).hasSize(1);
        assertThat(cache()).doesNotExist();
    }

    @Test
    void onlySoManyAreKept() throws IOException {
        for (int i = 0; i < 70; i++) {
            files.write("src/carrel.yaml", "# " + i + "\n");
            files.load(repository);
        }
        assertThat(entries()).hasSizeBetween(60, 64);
    }
}
