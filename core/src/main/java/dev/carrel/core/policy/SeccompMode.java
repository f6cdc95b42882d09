package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.util.Locale;

/** How system calls are filtered. */
public enum SeccompMode {
    /** A small core that no normal tool needs is blocked, the rest of the table is audited. */
    DEFAULT,
    /** The whole table is audited, nothing is blocked. */
    LOG,
    /** The whole table is blocked. */
    ENFORCE,
    /** No filter. */
    OFF;

    /** Reads the name as options and files write it. */
    public static SeccompMode parse(String text) {
        for (SeccompMode mode : values()) {
            if (mode.toString().equals(text)) {
                return mode;
            }
        }
        throw new InvalidInputException(
                "sandbox.seccomp: '" + text + "' is not a mode",
                "Use one of default, log, enforce, off.");
    }

    /** The name as options and files write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
