package dev.carrel.core.repo;

import dev.carrel.core.failure.InvalidInputException;
import java.util.regex.Pattern;

/**
 * The rule for names under {@code /workspace}: 1 to 64 of {@code A-Z a-z 0-9 . _ -}, not starting
 * with a dot or a dash. Such a name needs no quoting in any file or command line.
 */
public final class RepoName {

    private static final int LONGEST = 64;
    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");

    private RepoName() {}

    /** Whether the name follows the rule. */
    public static boolean isValid(String name) {
        return RULE.matcher(name).matches();
    }

    /**
     * The name that a directory gives: its own with everything else replaced by {@code _}, so that
     * nobody has to think of one.
     */
    public static String derived(String directoryName) {
        if (isValid(directoryName)) {
            return directoryName;
        }
        String cleaned = directoryName.replaceAll("[^A-Za-z0-9._-]", "_");
        String begun = cleaned.startsWith(".") || cleaned.startsWith("-") ? "_" + cleaned : cleaned;
        return begun.isEmpty() ? "_" : begun.substring(0, Math.min(LONGEST, begun.length()));
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
