package dev.carrel.core.repo;

import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Finds and opens repositories. Reads only. Safe for many threads. */
public final class Repos {

    private final ProcessRunner runner;
    private final Map<String, String> environment;

    /**
     * Repositories as a user sees them.
     *
     * @param environment the caller's environment; only {@code HOME} and {@code XDG_CONFIG_HOME}
     *     are looked at, to find the user's git identity and ignore rules
     */
    public Repos(ProcessRunner runner, Map<String, String> environment) {
        this.runner = runner;
        this.environment = Map.copyOf(environment);
    }

    /** The top of the git work tree around a directory; empty if there is none. Runs nothing. */
    public Optional<Path> around(Path directory) {
        Optional<Path> at = Optional.of(real(directory));
        while (at.isPresent()
                && !Files.exists(at.get().resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
            at = Optional.ofNullable(at.get().getParent());
        }
        return at;
    }

    /**
     * The repository that a directory lies in, or the directory itself as a plain one.
     *
     * @param name its name; empty: the last name of its path
     * @throws dev.carrel.core.failure.InvalidInputException if the name is not allowed, or the
     *     directory is a bare or broken repository
     * @throws NotFoundException if there is no such directory
     * @throws dev.carrel.core.failure.UnsupportedHostException if git is needed and missing
     */
    public Repo open(Optional<String> name, Path directory, Identity identity)
            throws InterruptedException {
        Optional<Path> git = around(directory);
        Path root = git.orElse(real(directory));
        String checked = name.map(RepoName::check).orElseGet(() -> defaultName(root));
        if (git.isEmpty()) {
            if (looksBare(root)) {
                throw GitOpening.bare(root);
            }
            return new Repo.Plain(checked, root);
        }
        HostGit host = HostGit.of(runner, OriginUser.of(root, identity));
        return new GitOpening(host, root).open(checked, environment);
    }

    private static boolean looksBare(Path root) {
        return Files.isRegularFile(root.resolve("HEAD"))
                && Files.isDirectory(root.resolve("objects"))
                && Files.isDirectory(root.resolve("refs"));
    }

    private static String defaultName(Path root) {
        Path last = root.getFileName();
        return RepoName.derived(last == null ? "root" : last.toString());
    }

    private static Path real(Path directory) {
        try {
            Path real = directory.toRealPath();
            if (Files.isDirectory(real)) {
                return real;
            }
        } catch (IOException missing) {
            throw new NotFoundException("there is no directory " + directory);
        }
        throw new NotFoundException(directory + " is not a directory");
    }
}
