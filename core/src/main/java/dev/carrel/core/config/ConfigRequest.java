package dev.carrel.core.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who asks for settings, and where from.
 *
 * @param named the file that the caller named, absolute; empty where none
 * @param environment the caller's variables
 * @param directory what the caller's relative paths are relative to
 * @param home the caller's home directory, for {@code ~}
 * @param uid the caller's user number
 * @param version the version of the program: what another one has read is not taken from the cache;
 *     asked for where there is a file
 */
public record ConfigRequest(
        Optional<Path> named,
        Map<String, String> environment,
        Path directory,
        Path home,
        int uid,
        Supplier<String> version) {

    /** Names the file to use. */
    public static final String CARREL_CONFIG = "CARREL_CONFIG";

    public ConfigRequest {
        environment = Map.copyOf(environment);
    }

    /** A directory that a variable names, which counts only where it is absolute. */
    Path base(String variable, String below) {
        return Optional.ofNullable(environment.get(variable))
                .filter(text -> text.startsWith("/"))
                .map(Path::of)
                .orElse(home.resolve(below));
    }

    /** A path with {@code ~} for the home directory. */
    Path expanded(String text) {
        if (text.equals("~")) {
            return home;
        }
        return text.startsWith("~/") ? home.resolve(text.substring(2)) : Path.of(text);
    }

    Optional<Path> fromEnvironment() {
        return Optional.ofNullable(environment.get(CARREL_CONFIG))
                .filter(text -> !text.isEmpty())
                .map(directory::resolve)
                .map(Path::normalize);
    }
}
