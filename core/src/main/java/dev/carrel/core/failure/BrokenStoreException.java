package dev.carrel.core.failure;

import org.jspecify.annotations.Nullable;

/** A file of Carrel's own cannot be read. It is left as it is, never emptied or overwritten. */
public final class BrokenStoreException extends CarrelException {

    private static final long serialVersionUID = 1L;

    /** A failure without a known cure. */
    public BrokenStoreException(String message) {
        super(FailureCode.BROKEN_STORE, message, null, null);
    }

    /** A failure with the command or setting that cures it. */
    public BrokenStoreException(String message, String remedy) {
        super(FailureCode.BROKEN_STORE, message, remedy, null);
    }

    /** A failure with its cause; {@code remedy} may be null. */
    public BrokenStoreException(String message, @Nullable String remedy, Throwable cause) {
        super(FailureCode.BROKEN_STORE, message, remedy, cause);
    }
}
