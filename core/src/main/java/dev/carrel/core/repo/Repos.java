package dev.carrel.core.repo;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.ProcessRunner;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Finds and opens repositories. Reads only. Safe for many threads. */
public final class Repos {

    private final ProcessRunner runner;
    private final Map<String, String> environment;

    /**
     * @param environment the caller's environment; only {@code HOME} and {@code XDG_CONFIG_HOME}
     *     are looked at, to find the user's git identity and ignore rules
     */
    public Repos(ProcessRunner runner, Map<String, String> environment) {
        this.runner = runner;
        this.environment = Map.copyOf(environment);
    }

    /** The top of the git work tree around a directory; empty if there is none. Runs nothing. */
    public Optional<Path> around(Path directory) {
        throw new UnsupportedOperationException(runner + " " + environment + " " + directory);
    }

    /**
     * The repository that a directory lies in, or the directory itself as a plain one.
     *
     * @param name its name; empty: the last name of its path
     * @throws dev.carrel.core.failure.InvalidInputException if the name is not allowed, or the
     *     directory is a bare or broken repository
     * @throws dev.carrel.core.failure.NotFoundException if there is no such directory
     * @throws dev.carrel.core.failure.UnsupportedHostException if git is needed and missing
     */
    public Repo open(Optional<String> name, Path directory, Identity identity)
            throws InterruptedException {
        throw new UnsupportedOperationException(name + " " + directory + " " + identity);
    }
}
