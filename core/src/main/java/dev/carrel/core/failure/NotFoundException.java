package dev.carrel.core.failure;

import org.jspecify.annotations.Nullable;

/** Something named in the request does not exist: a session, a repository, a path. */
public final class NotFoundException extends CarrelException {

    private static final long serialVersionUID = 1L;

    /** A failure without a known cure. */
    public NotFoundException(String message) {
        super(FailureCode.NOT_FOUND, message, null, null);
    }

    /** A failure with the command or setting that cures it. */
    public NotFoundException(String message, String remedy) {
        super(FailureCode.NOT_FOUND, message, remedy, null);
    }

    /** A failure with its cause; {@code remedy} may be null. */
    public NotFoundException(String message, @Nullable String remedy, Throwable cause) {
        super(FailureCode.NOT_FOUND, message, remedy, cause);
    }
}
