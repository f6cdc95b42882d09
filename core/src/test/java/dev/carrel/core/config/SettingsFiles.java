package dev.carrel.core.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A home directory and repositories in a scratch directory, and the settings read there. */
final class SettingsFiles {

    final Path home;
    final Map<String, String> environment = new LinkedHashMap<>();
    Optional<Path> named = Optional.empty();
    int uid;

    SettingsFiles(Path directory) throws IOException {
        this.home = Files.createDirectories(directory.resolve("home"));
        this.uid = (int) Files.getAttribute(home, "unix:uid");
    }

    Path write(String path, String text) {
        Path file = home.resolve(path);
        try {
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, text);
            return Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString("rw-r--r--"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A directory that looks like a git work tree. */
    Path repository(String path) {
        Path repository = home.resolve(path);
        try {
            Files.createDirectories(repository.resolve(".git"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return repository;
    }

    Configurations configurations() {
        return new Configurations(
                new ConfigRequest(named, environment, home, home, uid, () -> "test"));
    }

    Configuration load(Path... repositories) {
        return configurations()
                .load(List.of(repositories).stream().map(at -> new RepoPlace(at, at)).toList());
    }

    /** The same without what stops a run. */
    List<String> problems(Path... repositories) {
        return configurations()
                .check(List.of(repositories).stream().map(at -> new RepoPlace(at, at)).toList())
                .problems()
                .stream()
                .map(problem ->
                        home.relativize(problem.file())
                                + ":"
                                + problem.at()
                                + ": "
                                + problem.text())
                .toList();
    }

    /** A value in effect, as text; empty where it has none. */
    static String value(Configuration configuration, String key) {
        return Optional.ofNullable(configuration.effective().get(key))
                .map(value -> SchemaKey.shown(value.value()))
                .orElse("");
    }
}
