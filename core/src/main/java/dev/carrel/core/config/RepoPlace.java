package dev.carrel.core.config;

import java.nio.file.Path;

/**
 * Where a repository is used.
 *
 * @param directory where the search for its own file begins: its root, or a directory below it
 * @param root its top; for a plain directory the directory itself
 */
public record RepoPlace(Path directory, Path root) {

    public RepoPlace {
        directory = directory.toAbsolutePath().normalize();
        root = root.toAbsolutePath().normalize();
    }
}
