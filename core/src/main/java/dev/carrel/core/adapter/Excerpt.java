package dev.carrel.core.adapter;

import java.util.regex.Pattern;

/** The beginning of a text, where all of it is too much. */
final class Excerpt {

    /** What is kept of what tools are asked and answer, in characters. */
    static final int EVENT = 2000;

    /** What is kept of an answer. */
    static final int ANSWER = 1 << 20;

    private static final int MESSAGE = 400;
    private static final Pattern COLOURS = Pattern.compile("\\x1b\\[[0-9;]*m");
    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cntrl}]+");

    private Excerpt() {}

    /** For an event. */
    static String of(String text) {
        return first(text, EVENT);
    }

    /** For a message of an error: one line without colours. */
    static String message(String text) {
        String enough = text.substring(0, Math.min(text.length(), 4 * MESSAGE));
        String plain = COLOURS.matcher(enough).replaceAll("");
        return first(BLANKS.matcher(plain).replaceAll(" ").strip(), MESSAGE);
    }

    /** The beginning, of at most so many characters, two or more. */
    static String first(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
        return text.substring(0, end) + "…";
    }
}
