package dev.carrel.core.process;

import java.nio.charset.StandardCharsets;

/**
 * How a command ended.
 *
 * @param exit the exit status as the JDK reports it: 128 + n for a process killed by signal n
 * @param output captured standard output, empty if it was not captured
 * @param error captured standard error, empty if it was not captured
 */
@SuppressWarnings("ArrayRecordComponent") // results are read once, never compared
public record ProcessResult(int exit, byte[] output, byte[] error) {

    /** Whether the command ended with status 0. */
    public boolean succeeded() {
        return exit == 0;
    }

    /** Captured standard output as UTF-8 text. */
    public String outputText() {
        return new String(output, StandardCharsets.UTF_8);
    }

    /** Captured standard error as UTF-8 text without the trailing line end. */
    public String errorText() {
        return new String(error, StandardCharsets.UTF_8).stripTrailing();
    }
}
