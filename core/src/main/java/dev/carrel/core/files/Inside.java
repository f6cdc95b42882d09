package dev.carrel.core.files;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Runs a script inside a sandbox, as its commands are run. */
@FunctionalInterface
public interface Inside {

    /** The most that is kept of an output, in bytes. */
    int MOST = 64 * 1024 * 1024;

    /**
     * Runs a script of the POSIX shell to its end.
     *
     * @param variables set for it besides what commands get
     * @param input what it reads
     * @return its exit status and outputs, each up to {@link #MOST} bytes; what is more is dropped
     * @throws dev.carrel.core.failure.CarrelException if it could not be started
     */
    Result run(String script, Map<String, String> variables, byte[] input)
            throws InterruptedException;

    /** How a script ended. */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Result(int exit, byte[] output, byte[] error) {

        /** Its messages, without the last line end. */
        String errorText() {
            return new String(error, StandardCharsets.UTF_8).stripTrailing();
        }
    }
}
