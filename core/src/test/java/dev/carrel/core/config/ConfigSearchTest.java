package dev.carrel.core.config;

import static dev.carrel.core.config.SettingsFiles.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files count, and whose they are. */
class ConfigSearchTest {

    @TempDir Path directory;
    private SettingsFiles files;
    private Path repository;

    @BeforeEach
    void home() throws IOException {
        files = new SettingsFiles(directory);
        repository = files.repository("src/app");
    }

    private String hostname() {
        return value(files.load(repository), "sandbox.hostname");
    }

    private void host(String file, String name) {
        files.write(file, "sandbox: {hostname: " + name + "}\n");
    }

    @Test
    void theNearerOneCounts() {
        assertThat(files.load(repository)).isEqualTo(Configuration.NONE);
        host(".config/carrel/carrel.yaml", "xdg");
        assertThat(hostname()).isEqualTo("xdg");
        host("carrel.yaml", "home");
        assertThat(hostname()).isEqualTo("home");
        host("src/carrel.yaml", "src");
        assertThat(hostname()).isEqualTo("src");
        host("of-environment", "environment");
        files.environment.put(ConfigRequest.CARREL_CONFIG, "of-environment");
        assertThat(hostname()).isEqualTo("environment");
        host("named", "named");
        files.named = Optional.of(files.home.resolve("named"));
        assertThat(hostname()).isEqualTo("named");
    }

    @Test
    void theDirectoryOfSettingsCanBeElsewhere() {
        host("other/carrel/carrel.yaml", "other");
        files.environment.put("XDG_CONFIG_HOME", files.home.resolve("other").toString());
        assertThat(hostname()).isEqualTo("other");
        files.environment.put("XDG_CONFIG_HOME", "relative/is/ignored");
        assertThat(files.load(repository)).isEqualTo(Configuration.NONE);
    }

    @Test
    void carrelsOwnFileWinsAndANoticeSaysSo() {
        host("src/carrel.yaml", "carrel");
        files.write("src/codumentor.yaml", "plugins: []\n");
        Configuration loaded = files.load(repository);

        assertThat(value(loaded, "sandbox.hostname")).isEqualTo("carrel");
        assertThat(loaded.notices())
                .anyMatch(notice ->
                        notice.endsWith(
                                "carrel.yaml is used; "
                                        + files.home.resolve("src/codumentor.yaml")
                                        + " beside it is not"));
    }

    @Test
    void aFileOfTheRepositoryIsNotTheUsers() {
        files.write("src/app/carrel.yaml", "sandbox: {seccomp: off}\n");
        assertThat(value(files.load(repository), "sandbox.seccomp")).isEqualTo("default");

        files.write("src/app/web/carrel.yaml", "sandbox: {seccomp: log}\n");
        RepoPlace below = new RepoPlace(repository.resolve("web"), repository);
        assertThat(files.configurations().load(List.of(below)).files())
                .containsExactly(repository.resolve("web/carrel.yaml"));
    }

    @Test
    void aRepositoryAroundTheRepositoryIsNotTheUsers() {
        Path nested = files.repository("src/app/vendor/lib");
        files.write("src/app/carrel.yaml", "sandbox: {seccomp: off, hostname: outer}\n");
        files.write("src/app/vendor/carrel.yaml", "sandbox: {seccomp: off, hostname: vendor}\n");
        Configuration loaded = files.load(nested);

        assertThat(value(loaded, "sandbox.seccomp")).isEqualTo("default");
        assertThat(loaded.problems()).hasSize(1).allMatch(p -> p.kind() == Problem.Kind.WIDENS);
    }

    @Test
    void aNamedFileIsTheUsersWhereverItIs() {
        files.write("src/app/carrel.yaml", "sandbox: {seccomp: off}\n");
        files.named = Optional.of(repository.resolve("carrel.yaml"));

        assertThat(value(files.load(repository), "sandbox.seccomp")).isEqualTo("off");
    }

    @Test
    void aFileThatOthersCanWriteIsRefused() throws IOException {
        host("src/carrel.yaml", "a");
        Path file = files.home.resolve("src/carrel.yaml");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));

        assertThatThrownBy(() -> files.load(repository))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("others may write " + file + ", which decides what is allowed")
                .extracting(e -> ((InvalidInputException) e).remedy())
                .isEqualTo(Optional.of("chmod go-w " + file));
    }

    @Test
    void aFileOfAnotherUserIsRefused() {
        host("src/carrel.yaml", "a");
        files.uid = files.uid + 1;
        // Root's files are everybody's to follow.
        if (files.uid == 1) {
            assertThat(hostname()).isEqualTo("a");
        } else {
            assertThatThrownBy(() -> files.load(repository))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("not to you (" + files.uid + ")");
        }
    }

    @Test
    void linksAndSpecialFilesOfARepositoryAreNotRead() throws IOException {
        host("elsewhere.yaml", "a");
        Path link = repository.resolve("carrel.yaml");
        Files.createSymbolicLink(link, files.home.resolve("elsewhere.yaml"));
        assertThatThrownBy(() -> files.load(repository))
                .hasMessage(link + ": it is not a regular file");
        Files.delete(link);
        Files.createDirectory(link);
        assertThatThrownBy(() -> files.load(repository))
                .hasMessage(link + ": it is not a regular file");
    }

    @Test
    void aNamedFileThatIsMissingIsNotPassedOver() {
        files.named = Optional.of(files.home.resolve("missing"));

        assertThatThrownBy(() -> files.load(repository))
                .isInstanceOf(NotFoundException.class)
                .hasMessageContaining(
                        "there is no configuration file " + files.home.resolve("missing"));
        files.named = Optional.of(Path.of("/dev/null"));
        assertThat(files.load(repository).problems()).isEmpty();
    }

    @Test
    void aHugeFileIsNotRead() {
        files.write("src/app/carrel.yaml", "#" + "x".repeat(ConfigFile.MOST_BYTES));

        assertThatThrownBy(() -> files.load(repository))
                .hasMessageContaining("it is larger than 1048576 bytes");
    }

    @Test
    void errorsStopEverythingAndNameTheirPlace() {
        files.write("src/carrel.yaml", "enabled: 1\nmode: x\nfoo: 1\nsession_tmp: 1\n");

        assertThatThrownBy(() -> files.load(repository))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        files.home.resolve("src/carrel.yaml")
                                + ":1:10: enabled: '1' is not allowed; use true or false\n"
                                + files.home.resolve("src/carrel.yaml")
                                + ":4:14: session_tmp: '1' is not allowed; use true or false");
    }

    @Test
    void namesRepositoriesRelativeToTheFile() {
        files.write(
                "src/carrel.yaml",
                "repos:\n- {name: app, path: app}\n- {name: lib, path: ~/lib}\n- {name: x, path: /x/../y}\n");

        assertThat(files.load(repository).repos())
                .containsExactly(
                        new Configuration.NamedRepo("app", repository),
                        new Configuration.NamedRepo("lib", files.home.resolve("lib")),
                        new Configuration.NamedRepo("x", Path.of("/y")));
    }
}
