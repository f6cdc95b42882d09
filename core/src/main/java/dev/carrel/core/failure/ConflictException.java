package dev.carrel.core.failure;

import org.jspecify.annotations.Nullable;

/** Busy, locked, or changed underneath: the same request may succeed later. Nothing was changed. */
public final class ConflictException extends CarrelException {

    private static final long serialVersionUID = 1L;

    /** A failure without a known cure. */
    public ConflictException(String message) {
        super(FailureCode.CONFLICT, message, null, null);
    }

    /** A failure with the command or setting that cures it. */
    public ConflictException(String message, String remedy) {
        super(FailureCode.CONFLICT, message, remedy, null);
    }

    /** A failure with its cause; {@code remedy} may be null. */
    public ConflictException(String message, @Nullable String remedy, Throwable cause) {
        super(FailureCode.CONFLICT, message, remedy, cause);
    }
}
