package dev.carrel.core.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Where the programs of the host are, by the PATH of this process. */
final class Programs {

    // Not relative ones: they would mean the directory of a command, which may be anybody's.
    private static final List<Path> SEARCHED =
            Arrays.stream(System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":", -1))
                    .filter(directory -> directory.startsWith("/"))
                    .map(Path::of)
                    .toList();

    private Programs() {}

    /** The program that a word means; one with a slash is a path. */
    static Optional<Path> find(String word) {
        return word.contains("/")
                ? Optional.of(Path.of(word))
                : SEARCHED.stream()
                        .map(directory -> directory.resolve(word))
                        .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                        .findFirst();
    }
}
