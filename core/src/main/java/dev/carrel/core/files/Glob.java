package dev.carrel.core.files;

import dev.carrel.core.failure.InvalidInputException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern for paths: {@code *} and {@code ?} stay within a component, <code>**</code> crosses
 * them, <code>{a,b}</code> is a choice, {@code [a-z]} a character. Pure.
 *
 * <p>The JDK's own matcher works on its paths, which cannot hold every name where the JVM was
 * started without a UTF-8 locale.
 */
final class Glob {

    private final Pattern pattern;

    private Glob(Pattern pattern) {
        this.pattern = pattern;
    }

    /** Without a slash it fits a name in any directory. */
    static Glob of(String glob) {
        if (glob.isEmpty()) {
            throw new InvalidInputException("a pattern for paths has at least one character");
        }
        String whole = glob.indexOf('/') >= 0 ? glob : "**/" + glob;
        try {
            return new Glob(Pattern.compile(translate(whole), Pattern.DOTALL));
        } catch (PatternSyntaxException e) {
            throw new InvalidInputException(
                    "'" + glob + "' is not a pattern for paths: " + e.getDescription());
        }
    }

    boolean fits(String relativePath) {
        return pattern.matcher(relativePath).matches();
    }

    private static String translate(String glob) {
        StringBuilder regex = new StringBuilder();
        int choices = 0;
        for (int at = 0; at < glob.length(); at++) {
            char c = glob.charAt(at);
            switch (c) {
                case '*' -> at += appendStars(regex, glob, at);
                case '?' -> regex.append("[^/]");
                case '[' -> at = appendSet(regex, glob, at);
                case '{' -> {
                    choices++;
                    regex.append("(?:");
                }
                case '}' -> {
                    regex.append(choices > 0 ? ")" : "\\}");
                    choices = Math.max(0, choices - 1);
                }
                case ',' -> regex.append(choices > 0 ? "|" : ",");
                case '\\' -> {
                    at = Math.min(at + 1, glob.length() - 1);
                    regex.append(Pattern.quote(glob.substring(at, at + 1)));
                }
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.toString();
    }

    /** How many characters more it took. */
    private static int appendStars(StringBuilder regex, String glob, int at) {
        if (!glob.startsWith("**", at)) {
            regex.append("[^/]*");
            return 0;
        }
        if (glob.startsWith("**/", at)) {
            regex.append("(?:.*/)?");
            return 2;
        }
        regex.append(".*");
        return 1;
    }

    /** Where the set ends; a bracket that is never closed stands for itself. */
    private static int appendSet(StringBuilder regex, String glob, int at) {
        int end = glob.indexOf(']', at + 2);
        if (end < 0) {
            regex.append("\\[");
            return at;
        }
        String set = glob.substring(at + 1, end).replace("\\", "\\\\").replace("[", "\\[");
        boolean not = set.startsWith("!");
        regex.append("(?!/)[")
                .append(not ? "^" : "")
                .append(not ? set.substring(1) : set.replaceFirst("^\\^", "\\\\^"))
                .append("]")
                .append("");
        return end;
    }
}
