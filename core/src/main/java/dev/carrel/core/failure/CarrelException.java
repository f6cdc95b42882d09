package dev.carrel.core.failure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that could not be carried out. The set is closed, so that a front end can translate
 * each kind once.
 *
 * <p>The message says what happened, with the value and the place, and why. The remedy, where there
 * is one, is the command or setting that cures it. Expected outcomes of a command (a non-zero exit,
 * a signal) are results, not exceptions; anything else that escapes is a defect of Carrel.
 */
public abstract sealed class CarrelException extends RuntimeException
        permits InvalidInputException,
                UnsupportedHostException,
                NotFoundException,
                ConflictException,
                BrokenStoreException,
                HostOperationException {

    private static final long serialVersionUID = 1L;

    private final FailureCode code;
    private final @Nullable String remedy;

    CarrelException(
            FailureCode code, String message, @Nullable String remedy, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.remedy = remedy;
    }

    /** A stable name of the failure, for programs. */
    public final FailureCode code() {
        return code;
    }

    /** What was wrong and why, never empty. */
    public final String message() {
        String text = getMessage();
        return text == null ? code.toString() : text;
    }

    /** The command or setting that cures it, if one is known. */
    public final Optional<String> remedy() {
        return Optional.ofNullable(remedy);
    }
}
