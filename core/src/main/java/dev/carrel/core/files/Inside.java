package dev.carrel.core.files;

import dev.carrel.core.process.ProcessResult;
import java.util.Map;

/** Runs a script inside a sandbox, as its commands are run. */
@FunctionalInterface
public interface Inside {

    /**
     * Runs a script of the POSIX shell to its end.
     *
     * @param variables set for it besides what commands get
     * @param input what it reads
     * @return its exit status and outputs, each up to {@link
     *     dev.carrel.core.process.ProcessRunner#CAPTURE_LIMIT} bytes
     * @throws dev.carrel.core.failure.CarrelException if it could not be started
     */
    ProcessResult run(String script, Map<String, String> variables, byte[] input)
            throws InterruptedException;
}
