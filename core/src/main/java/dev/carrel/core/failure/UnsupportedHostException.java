package dev.carrel.core.failure;

import org.jspecify.annotations.Nullable;

/**
 * The machine lacks something that was asked for. Nothing was started; Carrel never falls back to
 * less.
 */
public final class UnsupportedHostException extends CarrelException {

    private static final long serialVersionUID = 1L;

    /** What is missing and how that was found, and what to install or set. */
    public UnsupportedHostException(String message, String remedy) {
        super(FailureCode.UNSUPPORTED_HOST, message, remedy, null);
    }

    /** The same with the failed attempt as the cause. */
    public UnsupportedHostException(
            String message, @Nullable String remedy, @Nullable Throwable cause) {
        super(FailureCode.UNSUPPORTED_HOST, message, remedy, cause);
    }
}
