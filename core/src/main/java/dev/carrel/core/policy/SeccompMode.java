package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.util.Arrays;
import java.util.Locale;

/** How strictly the system calls of a sandboxed process are filtered. */
public enum SeccompMode {
    /**
     * A small core that normal tools never need is denied; the rest of the table is allowed and
     * leaves a record in the kernel's audit log.
     */
    DEFAULT,
    /** Observe: the whole table is allowed and leaves audit records. Denies nothing. */
    LOG,
    /** The whole table is denied. */
    ENFORCE,
    /** No filter. */
    OFF;

    /**
     * The mode of that lower case name.
     *
     * @throws InvalidInputException for any other text; the message names the valid ones
     */
    public static SeccompMode parse(String text) {
        for (SeccompMode mode : values()) {
            if (mode.toString().equals(text)) {
                return mode;
            }
        }
        var names = Arrays.stream(values()).map(SeccompMode::toString).toList();
        throw new InvalidInputException(
                "sandbox.seccomp: '%s' is not a mode; the modes are %s"
                        .formatted(text, String.join(", ", names)),
                "Did you mean '%s'?".formatted(Nearest.to(text, names)));
    }

    /** The name as options and files carry it: lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
