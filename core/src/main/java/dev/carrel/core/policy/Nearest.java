package dev.carrel.core.policy;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that a mistyped one was probably meant to be. */
public final class Nearest {

    private static final int TRANSPOSITION = 2;
    private static final int LETTERS_PER_EDIT = 3;

    private Nearest() {}

    /** The candidate with the fewest edits to the text; letter case counts as no edit. */
    public static String to(String text, Collection<String> candidates) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return candidates.stream()
                .min(Comparator.comparingInt(name -> distance(wanted, name)))
                .orElseThrow();
    }

    /**
     * The same, if it can be a misspelling: two letters differ, or in a long name a third of them,
     * or the text begins it.
     */
    public static Optional<String> within(String text, Collection<String> candidates) {
        if (text.isEmpty() || candidates.isEmpty()) {
            return Optional.empty();
        }
        String nearest = to(text, candidates);
        int edits = distance(text.toLowerCase(Locale.ROOT), nearest);
        int allowed = Math.max(TRANSPOSITION, nearest.length() / LETTERS_PER_EDIT);
        return edits <= Math.min(allowed, text.length() - 1)
                ? Optional.of(nearest)
                : Optional.empty();
    }

    /** An abbreviation, or a name without its group, is nearer than any misspelling. */
    private static int distance(String text, String name) {
        boolean part = name.startsWith(text) || name.endsWith("." + text);
        return !text.isEmpty() && part ? 0 : edits(text, name);
    }

    private static int edits(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
                current[column] =
                        Math.min(
                                previous[column - 1] + replaced,
                                1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
