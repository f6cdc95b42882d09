package dev.carrel.core.agent;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.posix.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the key of a backend comes from: the file or the command that the settings name, else the
 * caller's variables.
 *
 * @param environment the caller's
 */
record KeySource(ProcessRunner runner, Map<String, String> environment) {

    private static final Duration COMMAND_WITHIN = Duration.ofSeconds(30);
    private static final int LARGEST = 64 * 1024;
    private static final int OTHERS = 077;

    /**
     * The key.
     *
     * @param variables the names under which the backend takes one; the first is for a key from
     *     elsewhere
     * @return empty if there is none
     * @throws InvalidInputException if what the settings name gives none
     */
    Optional<Credentials> find(String backend, Backend settings, List<String> variables)
            throws InterruptedException {
        if (settings.keyFile().isPresent() && settings.keyCommand().isPresent()) {
            throw new InvalidInputException(
                    named(backend, "key_file")
                            + " and "
                            + named(backend, "key_command")
                            + " exclude each other");
        }
        if (variables.isEmpty()) {
            return Optional.of(Credentials.NONE);
        }
        if (settings.keyFile().isPresent()) {
            return Optional.of(
                    new Credentials(
                            Map.of(
                                    variables.getFirst(),
                                    fromFile(named(backend, "key_file"), settings.keyFile().get())),
                            "key_file"));
        }
        if (settings.keyCommand().isPresent()) {
            return Optional.of(
                    new Credentials(
                            Map.of(
                                    variables.getFirst(),
                                    fromCommand(
                                            named(backend, "key_command"),
                                            settings.keyCommand().get())),
                            "key_command"));
        }
        return fromEnvironment(variables);
    }

    /** The names of the sources that have a key, without running or reading anything. */
    Optional<String> hint(Backend settings, List<String> variables) {
        if (variables.isEmpty()) {
            return Optional.of("not needed");
        }
        if (settings.keyFile().isPresent()) {
            return Optional.of("key_file");
        }
        return settings.keyCommand().isPresent()
                ? Optional.of("key_command")
                : fromEnvironment(variables).map(Credentials::source);
    }

    private static String named(String backend, String key) {
        return "external_agent.backends." + backend + "." + key;
    }

    private Optional<Credentials> fromEnvironment(List<String> variables) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String name : variables) {
            String value = environment.getOrDefault(name, "");
            if (!value.isBlank()) {
                found.put(name, value);
            }
        }
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Credentials(found, String.join(", ", found.keySet())));
    }

    private static String fromFile(String setting, Path file) {
        try {
            Map<String, Object> status = Files.readAttributes(file, "unix:mode,uid,size");
            int mode = (int) status.getOrDefault("mode", 0);
            if (!Files.isRegularFile(file) || (long) status.getOrDefault("size", 0L) > LARGEST) {
                throw new InvalidInputException(setting + ": " + file + " is no file with a key");
            }
            int owner = (int) status.getOrDefault("uid", 0);
            if ((mode & OTHERS) != 0 || (owner != Identity.effectiveUid() && owner != 0)) {
                throw new InvalidInputException(
                        setting + ": others may read or change " + file + ", which holds a key",
                        "chmod 600 " + file);
            }
            return key(setting, Files.readString(file));
        } catch (IOException e) {
            throw new InvalidInputException(setting + ": cannot read " + file + ": " + reason(e));
        }
    }

    private static String reason(IOException e) {
        return e instanceof java.nio.file.NoSuchFileException
                ? "there is no such file"
                : String.valueOf(e.getMessage());
    }

    private String fromCommand(String setting, String command) throws InterruptedException {
        ProcessResult result =
                runner.run(
                        Command.of("sh", "-c", command).withEnvironment(environment),
                        COMMAND_WITHIN);
        if (!result.succeeded()) {
            // What it wrote to its standard output may be a key all the same.
            String why = result.errorText().strip();
            throw new InvalidInputException(
                    setting
                            + " failed with exit status "
                            + result.exit()
                            + (why.isEmpty() ? "" : ": " + why));
        }
        return key(setting, new String(result.output(), StandardCharsets.UTF_8));
    }

    private static String key(String setting, String text) {
        String key = text.strip();
        if (key.isEmpty() || key.chars().anyMatch(c -> c <= ' ' || c == 127)) {
            throw new InvalidInputException(
                    setting + " has to give a key: one line without spaces");
        }
        return key;
    }
}
