package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import java.util.regex.Pattern;

/** The name of a session that Carrel chose: short readable words such as {@code calm-otter}. */
public record SessionId(String value) implements Comparable<SessionId> {

    private static final Pattern FORM = Pattern.compile("[a-z]+(-[a-z]+)+(-[0-9]+)?");

    public SessionId {
        if (!isOne(value)) {
            throw new InvalidInputException(
                    "'" + value + "' is not a session id", "List them: carrel session list");
        }
    }

    /** Whether a text has the form of one. */
    static boolean isOne(String text) {
        return text.length() <= 60 && FORM.matcher(text).matches();
    }

    @Override
    public int compareTo(SessionId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
