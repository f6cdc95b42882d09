package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Git on an empty bare repository of ours. Whatever a sandbox wrote reaches it as objects and on
 * streams only, never as a configuration, hook, attribute or index.
 */
public final class ScratchGit implements AutoCloseable {

    private static final String REPOSITORY = "repository";

    private final ProcessRunner runner;
    private final Path directory;

    private ScratchGit(ProcessRunner runner, Path directory) {
        this.runner = runner;
        this.directory = directory;
    }

    /**
     * Makes one in a temporary directory below {@code parent}.
     *
     * @param objectFormat {@code sha1} or {@code sha256}
     */
    public static ScratchGit create(ProcessRunner runner, Path parent, String objectFormat) {
        ScratchGit git;
        try {
            git = new ScratchGit(runner, Files.createTempDirectory(parent, "git-"));
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot make a temporary directory in " + parent + ": " + e.getMessage(),
                    null,
                    e);
        }
        try {
            git.initialize(objectFormat);
            return git;
        } catch (IOException e) {
            git.close();
            throw new HostOperationException(
                    "cannot write in " + git.directory + ": " + e.getMessage(), null, e);
        }
    }

    /** As git itself would; a process of its own would take longer than all that follows. */
    private void initialize(String objectFormat) throws IOException {
        Files.createDirectory(repository());
        Files.createDirectory(repository().resolve("objects"));
        Files.createDirectory(repository().resolve("refs"));
        Files.writeString(repository().resolve("HEAD"), "ref: refs/heads/main\n");
        boolean sha1 = objectFormat.equals("sha1");
        Files.writeString(
                repository().resolve("config"),
                "[core]\n\tbare = true\n\trepositoryformatversion = "
                        + (sha1 ? "0\n" : "1\n[extensions]\n\tobjectformat = sha256\n"));
    }

    /** The temporary directory around the repository; removed when this is closed. */
    public Path directory() {
        return directory;
    }

    /** The bare repository in it. */
    public Path repository() {
        return directory.resolve(REPOSITORY);
    }

    /** A command on the repository, with nothing of the host's configuration. */
    public Command command(List<String> arguments) {
        List<String> argv = new ArrayList<>(List.of("git"));
        // Names are bytes here; what other file systems would make of them is told elsewhere.
        argv.addAll(List.of("-c", "core.protectNTFS=false", "-c", "core.protectHFS=false"));
        argv.addAll(List.of("-c", "core.compression=0"));
        argv.addAll(arguments);
        return Command.of(argv)
                .in(directory)
                .withVariable("GIT_DIR", repository().toString())
                .withVariable("GIT_CONFIG_NOSYSTEM", "1")
                .withVariable("GIT_CONFIG_GLOBAL", "/dev/null")
                .withVariable("GIT_ATTR_NOSYSTEM", "1")
                .withVariable("GIT_OPTIONAL_LOCKS", "0")
                .withVariable("HOME", directory.toString());
    }

    /** What starts its commands. */
    public ProcessRunner runner() {
        return runner;
    }

    /**
     * Runs a command to its end.
     *
     * @throws HostOperationException if it does not succeed
     */
    public ProcessResult require(Command command) throws InterruptedException {
        ProcessResult result = runner.run(command);
        requireSuccess(command, result.exit(), result);
        return result;
    }

    /** The same of a command that has ended, with this exit. */
    public static void requireSuccess(Command command, int exit, ProcessResult result) {
        if (exit != 0) {
            throw new HostOperationException(
                    "git failed with status "
                            + result.exit()
                            + " on scratch files: "
                            + result.errorText()
                            + " ("
                            + command
                            + ")");
        }
    }

    /** Removes the repository. */
    @Override
    public void close() {
        Trees.delete(directory.resolveSibling("."), directory.getFileName().toString());
    }
}
