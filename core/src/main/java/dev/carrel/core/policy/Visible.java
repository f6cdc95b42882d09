package dev.carrel.core.policy;

import java.util.Locale;

/**
 * Text from somewhere else made fit for a message: printable ASCII alone, of a bounded length, so
 * that it can neither end a line nor write into a terminal or a log.
 */
public final class Visible {

    private static final int LONGEST = 100;

    private Visible() {}

    /** Printable ASCII; every other character as a backslash, {@code u} and four digits. */
    public static String text(String any) {
        StringBuilder visible = new StringBuilder();
        for (int i = 0; i < any.length(); i++) {
            char c = any.charAt(i);
            if (visible.length() >= LONGEST) {
                return visible.append("...").toString();
            }
            if (c < 0x20 || c > 0x7e || c == '\\' || c == '\'') {
                visible.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                visible.append(c);
            }
        }
        return visible.toString();
    }

    /** The same between single quotes, which it holds none of. */
    public static String quoted(String any) {
        return "'" + text(any) + "'";
    }
}
