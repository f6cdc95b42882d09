package dev.carrel.core.files;

import dev.carrel.core.failure.InvalidInputException;
import java.util.Optional;

/**
 * What to look for in files.
 *
 * @param pattern an extended regular expression of POSIX, or plain text
 * @param plainText whether the pattern is plain text
 * @param ignoreCase whether upper and lower case are the same
 * @param glob only files whose name (without directories) fits, such as {@code *.java}
 * @param limit how many lines at most, 1 to 100,000
 */
public record GrepRequest(
        String pattern, boolean plainText, boolean ignoreCase, Optional<String> glob, int limit) {

    private static final int USUAL_LIMIT = 1_000;
    private static final int MOST = 100_000;

    public GrepRequest {
        if (pattern.isEmpty() || pattern.indexOf('\0') >= 0 || pattern.indexOf('\n') >= 0) {
            throw new InvalidInputException(
                    "a pattern to look for has at least one character, no line end and no NUL");
        }
        if (limit < 1 || limit > MOST) {
            throw new InvalidInputException("the limit is 1 to " + MOST + ", not " + limit);
        }
    }

    /** A regular expression in all files, case matters, up to 1000 lines. */
    public static GrepRequest of(String pattern) {
        return new GrepRequest(pattern, false, false, Optional.empty(), USUAL_LIMIT);
    }

    /** The same in other files. */
    public GrepRequest in(String fileNames) {
        return new GrepRequest(pattern, plainText, ignoreCase, Optional.of(fileNames), limit);
    }
}
