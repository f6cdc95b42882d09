package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Runs git and small tools on the host as an {@link OriginUser}, in an environment made from
 * nothing. Safe for many threads.
 */
public final class HostGit {

    private static final String[] PATH =
            Command.BARE_ENVIRONMENT.getOrDefault("PATH", "/usr/bin").split(":", -1);

    private final ProcessRunner runner;
    private final OriginUser user;

    private HostGit(ProcessRunner runner, OriginUser user) {
        this.runner = runner;
        this.user = user;
    }

    /**
     * The host's git.
     *
     * @throws UnsupportedHostException if it is not installed
     */
    public static HostGit of(ProcessRunner runner, OriginUser user) {
        require("git", "git");
        if (user.switched()) {
            require("setpriv", "util-linux");
        }
        return new HostGit(runner, user);
    }

    private static void require(String program, String debianPackage) {
        for (String directory : PATH) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return;
            }
        }
        throw new UnsupportedHostException(
                program + " is not installed: looked in " + String.join(":", PATH),
                "apt install " + debianPackage);
    }

    /** As whom it runs. */
    public OriginUser user() {
        return user;
    }

    /** git on one git directory, without a work tree. */
    public GitAt at(Path gitDir) {
        return new GitAt(this, gitDir, Optional.empty(), Map.of());
    }

    /** git on one git directory and one work tree. */
    public GitAt at(Path gitDir, Path workTree) {
        return new GitAt(this, gitDir, Optional.of(workTree), Map.of());
    }

    /** Runs a command as the user. A non-zero exit is a result. */
    public ProcessResult attempt(Command command) throws InterruptedException {
        ProcessResult result = runner.run(command.behind(user.prefix()));
        if (result.output().length >= ProcessRunner.CAPTURE_LIMIT) {
            throw new HostOperationException(
                    command.argv().getFirst()
                            + " printed more than "
                            + ProcessRunner.CAPTURE_LIMIT
                            + " bytes: "
                            + command);
        }
        return result;
    }

    /** The content of a file as the user may read it; empty where it is missing or not allowed. */
    public Optional<byte[]> read(Path file) throws InterruptedException {
        if (user.switched()) {
            ProcessResult result = attempt(Command.of("cat", "--", file.toString()));
            return result.succeeded() ? Optional.of(result.output()) : Optional.empty();
        }
        try {
            return Files.isRegularFile(file)
                    ? Optional.of(Files.readAllBytes(file))
                    : Optional.empty();
        } catch (IOException denied) {
            return Optional.empty();
        }
    }

    /** Whether the user may create and remove entries of a directory, or write a file. */
    public boolean mayWrite(Path path) throws InterruptedException {
        return user.switched() ? test("-w", path) : Files.isWritable(path);
    }

    /** Whether the user finds a directory there. */
    public boolean isDirectory(Path path) throws InterruptedException {
        return user.switched() ? test("-d", path) : Files.isDirectory(path);
    }

    private boolean test(String question, Path path) throws InterruptedException {
        return attempt(Command.of("test", question, path.toString())).succeeded();
    }
}
