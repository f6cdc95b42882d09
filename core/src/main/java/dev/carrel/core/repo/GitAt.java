package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * git on one git directory, always named, never searched for. No configuration but that directory's
 * is read, and what in it could start a program for the commands used here is switched off: hooks,
 * the file system monitor, transports. Filters and drivers cannot be switched off by name: commands
 * that read or write files of a work tree run on a git directory of our own only.
 *
 * @param variables more environment
 */
public record GitAt(
        HostGit git, Path gitDir, Optional<Path> workTree, Map<String, String> variables) {

    private static final Map<String, String> ENVIRONMENT =
            Map.of(
                    "HOME", "/nonexistent",
                    "GIT_CONFIG_NOSYSTEM", "1",
                    "GIT_CONFIG_GLOBAL", "/dev/null",
                    "GIT_ATTR_NOSYSTEM", "1",
                    "GIT_OPTIONAL_LOCKS", "0",
                    "GIT_TERMINAL_PROMPT", "0",
                    "GIT_NO_LAZY_FETCH", "1",
                    "GIT_PAGER", "cat");

    private static final List<String> SAFE =
            List.of(
                    "-c",
                    "core.hooksPath=/dev/null",
                    "-c",
                    "core.fsmonitor=false",
                    "-c",
                    "core.logAllRefUpdates=false",
                    "-c",
                    "protocol.allow=never",
                    "-c",
                    "submodule.recurse=false",
                    "-c",
                    "gc.auto=0");

    public GitAt {
        variables = Map.copyOf(variables);
    }

    /** The same with one more variable; an empty value removes it. */
    public GitAt with(String name, String value) {
        Map<String, String> more = new HashMap<>(variables);
        more.put(name, value);
        return new GitAt(git, gitDir, workTree, more);
    }

    /** Runs and lets the exit be a result. */
    public ProcessResult attempt(String... arguments) throws InterruptedException {
        return git.attempt(command(List.of(arguments)));
    }

    /** Runs, requires success and returns the output. */
    public byte[] run(String... arguments) throws InterruptedException {
        return require(command(List.of(arguments)));
    }

    /** The same with input. */
    public byte[] runWith(byte[] input, String... arguments) throws InterruptedException {
        return require(command(List.of(arguments)).withInput(input));
    }

    /** The same as {@link #run}, as text without the last line end. */
    public String text(String... arguments) throws InterruptedException {
        String output = new String(run(arguments), StandardCharsets.UTF_8);
        return output.endsWith("\n") ? output.substring(0, output.length() - 1) : output;
    }

    private byte[] require(Command command) throws InterruptedException {
        ProcessResult result = git.attempt(command);
        if (!result.succeeded()) {
            throw new HostOperationException(
                    "git failed (" + result.exit() + "): " + command + "\n" + result.errorText());
        }
        return result.output();
    }

    private Command command(List<String> arguments) {
        List<String> argv = new ArrayList<>(Umask.ordinary());
        argv.add("git");
        argv.addAll(SAFE);
        argv.add("--git-dir=" + gitDir);
        workTree.ifPresent(tree -> argv.add("--work-tree=" + tree));
        argv.addAll(arguments);
        Map<String, String> environment = new HashMap<>(Command.BARE_ENVIRONMENT);
        environment.putAll(ENVIRONMENT);
        environment.putAll(variables);
        environment.values().removeIf(String::isEmpty);
        return Command.of(argv).withEnvironment(environment);
    }
}
