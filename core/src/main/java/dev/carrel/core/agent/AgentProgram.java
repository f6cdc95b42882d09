package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentAdapter;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.host.Caller;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.policy.SandboxPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The program of a backend on the host.
 *
 * @param executable what is executed, links resolved
 * @param shown the directories that it comes with, for a sandbox that does not show them otherwise
 */
record AgentProgram(Path executable, List<Path> shown) {

    private static final Path PACKAGES = Path.of("node_modules");

    private static final List<Path> SESSIONS_OWN =
            List.of(
                    Path.of("/tmp"),
                    Path.of("/proc"),
                    Path.of("/dev"),
                    Path.of("/run"),
                    SandboxPath.WORKSPACE.path(),
                    SandboxPath.HOME.path());

    /** The program, if the host has it. */
    static Optional<AgentProgram> find(AgentAdapter adapter, Backend settings, Caller caller) {
        String word = settings.program().orElse(adapter.program());
        return candidates(word, caller).stream()
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .flatMap(file -> resolved(adapter, file))
                .map(file -> new AgentProgram(file, shown(file, caller.home())));
    }

    /**
     * @throws InvalidInputException if it lies where every session has something of its own
     */
    void requireShowable(String setting) {
        for (Path place : SESSIONS_OWN) {
            if (executable.startsWith(place)) {
                throw new InvalidInputException(
                        executable
                                + " cannot be shown to a session, which has a "
                                + place
                                + " of its own",
                        "Install it elsewhere, and name it there: " + setting);
            }
        }
    }

    private static List<Path> candidates(String word, Caller caller) {
        if (word.startsWith("~/")) {
            return List.of(caller.home().resolve(word.substring(2)));
        }
        return word.contains("/")
                ? List.of(Path.of(word).toAbsolutePath().normalize())
                : caller.path().stream().map(folder -> folder.resolve(word)).toList();
    }

    private static Optional<Path> resolved(AgentAdapter adapter, Path file) {
        try {
            return Optional.of(adapter.executable(file.toRealPath()).toRealPath());
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /**
     * A package of npm needs those beside it; other programs have at most their own directory with
     * them. Never a home directory, or what holds one.
     */
    private static List<Path> shown(Path file, Path home) {
        List<Path> directories = new ArrayList<>();
        Path packages = null;
        for (Path at = file.getParent(); at != null; at = at.getParent()) {
            if (PACKAGES.equals(at.getFileName())) {
                packages = at;
            }
        }
        Path directory = packages != null ? packages : file.getParent();
        directories.add(directory == null || home.startsWith(directory) ? file : directory);
        return List.copyOf(directories);
    }
}
