package dev.carrel.core.repo;

import dev.carrel.core.failure.InvalidInputException;
import java.util.regex.Pattern;

/**
 * The rule for names under {@code /workspace}: 1 to 64 of {@code A-Z a-z 0-9 . _ -}, not starting
 * with a dot or a dash. Such a name needs no quoting in any file or command line.
 */
public final class RepoName {

    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");

    private RepoName() {}

    /** Whether the name follows the rule. */
    public static boolean isValid(String name) {
        return RULE.matcher(name).matches();
    }

    /** The name, if it follows the rule; otherwise {@link InvalidInputException}. */
    public static String check(String name) {
        if (!isValid(name)) {
            throw new InvalidInputException(
                    "\""
                            + name
                            + "\" cannot name a repository: 1 to 64 letters, digits, '.', '_', '-',"
                            + " not starting with '.' or '-'",
                    "name it yourself: --repo NAME=DIR");
        }
        return name;
    }
}
