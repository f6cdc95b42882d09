package dev.carrel.core.failure;

import org.jspecify.annotations.Nullable;

/** The operating system or a program it runs refused: disk full, no permission, git failed. */
public final class HostOperationException extends CarrelException {

    private static final long serialVersionUID = 1L;

    /** A failure without a known cure. */
    public HostOperationException(String message) {
        super(FailureCode.HOST_OPERATION, message, null, null);
    }

    /** A failure with the command or setting that cures it. */
    public HostOperationException(String message, String remedy) {
        super(FailureCode.HOST_OPERATION, message, remedy, null);
    }

    /** A failure with its cause; {@code remedy} may be null. */
    public HostOperationException(String message, @Nullable String remedy, Throwable cause) {
        super(FailureCode.HOST_OPERATION, message, remedy, cause);
    }
}
