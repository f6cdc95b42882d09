package dev.carrel.core.agent;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Asks a program for its version, in an empty HOME. */
record VersionQuestion(ProcessRunner runner, Map<String, String> environment) {

    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final int LONGEST = 100;
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    /** The first line of its answer; empty if it has none. */
    Optional<String> ask(Path program, List<String> arguments) throws InterruptedException {
        List<String> argv = new ArrayList<>();
        argv.add(program.toString());
        argv.addAll(arguments);
        Path home = scratch();
        try {
            Map<String, String> variables = new TreeMap<>(Command.BARE_ENVIRONMENT);
            // Some are scripts whose interpreter is looked for.
            variables.put("PATH", environment.getOrDefault("PATH", variables.get("PATH")));
            variables.put("HOME", home.toString());
            return firstLine(runner.run(Command.of(argv).withEnvironment(variables), WITHIN));
        } catch (CarrelException cannotStart) {
            return Optional.empty();
        } finally {
            Trees.delete(TEMPORARY, home.getFileName().toString());
        }
    }

    private static Path scratch() {
        try {
            return Files.createTempDirectory(TEMPORARY, "carrel-version-");
        } catch (IOException e) {
            throw new HostOperationException("cannot create a temporary directory: " + e, null, e);
        }
    }

    private static Optional<String> firstLine(ProcessResult result) {
        return result.succeeded()
                ? new String(result.output(), StandardCharsets.UTF_8)
                        .lines()
                        .findFirst()
                        .map(line -> line.substring(0, Math.min(LONGEST, line.length())))
                : Optional.empty();
    }
}
