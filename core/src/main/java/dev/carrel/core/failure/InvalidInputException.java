package dev.carrel.core.failure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request, an option or a file is wrong. Carries all problems found, each with its place. */
public final class InvalidInputException extends CarrelException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** One problem without a known cure. */
    public InvalidInputException(String problem) {
        this(List.of(problem), null);
    }

    /** One problem with its cure. */
    public InvalidInputException(String problem, String remedy) {
        this(List.of(problem), remedy);
    }

    /** All problems at once; the list is not empty. */
    public InvalidInputException(List<String> problems, @Nullable String remedy) {
        super(FailureCode.INVALID_INPUT, String.join("\n", problems), remedy, null);
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("no problems");
        }
        this.problems = List.copyOf(problems);
    }

    /** The problems, at least one, in the order found. */
    public List<String> problems() {
        return problems;
    }
}
