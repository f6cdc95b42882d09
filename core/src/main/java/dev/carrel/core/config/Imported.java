package dev.carrel.core.config;

import java.nio.file.Path;
import java.util.List;

/**
 * The settings of another sandbox as a carrel.yaml.
 *
 * @param yaml the text of the file; it has no errors
 * @param notes what could not be converted, and why
 */
public record Imported(String yaml, List<String> notes) {

    public Imported {
        notes = List.copyOf(notes);
    }

    /**
     * Converts the JSON settings of sandbox-runtime.
     *
     * @throws dev.carrel.core.failure.InvalidInputException where the file is not such JSON
     */
    public static Imported ofSrt(Path file) {
        return new SrtImport(file).convert();
    }

    /**
     * Converts a config.toml of Codex.
     *
     * @throws dev.carrel.core.failure.InvalidInputException where the file is not TOML
     */
    public static Imported ofCodex(Path file) {
        return new CodexImport(file).convert();
    }
}
