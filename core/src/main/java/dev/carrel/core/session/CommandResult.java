package dev.carrel.core.session;

import dev.carrel.core.policy.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a command of a session ended. The exit status is what the sandbox reports: advisory, since
 * everything in it may be controlled by the command.
 *
 * @param exit 0 to 255; 124 out of time, 126 not executable, 127 not found, 128 + n killed by
 *     signal n
 * @param ending what ended it
 * @param started when it started
 * @param duration how long it ran
 * @param usage what it used of the machine
 * @param limitedBy what held its limits: {@code cgroup v1}, {@code rlimits and watchdog}
 * @param output captured standard output, else empty
 * @param error captured standard error, else empty
 * @param hint what the user may want to know, for example which path would have to be mounted
 * @param network what it met at the border of its session's network
 */
@SuppressWarnings("ArrayRecordComponent") // results are read once, never compared
public record CommandResult(
        int exit,
        Ending ending,
        Instant started,
        Duration duration,
        Usage usage,
        String limitedBy,
        byte[] output,
        byte[] error,
        Optional<String> hint,
        NetworkResult network) {

    /** The same with a hint. */
    public CommandResult withHint(String other) {
        return new CommandResult(
                exit,
                ending,
                started,
                duration,
                usage,
                limitedBy,
                output,
                error,
                Optional.of(other),
                network);
    }

    /** Captured standard output as UTF-8 text. */
    public String outputText() {
        return new String(output, StandardCharsets.UTF_8);
    }

    /** Captured standard error as UTF-8 text. */
    public String errorText() {
        return new String(error, StandardCharsets.UTF_8);
    }
}
