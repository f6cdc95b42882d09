package dev.carrel.core.egress;

import dev.carrel.core.egress.Fields.Field;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the lines at the beginning of a message of HTTP/1. Strict where leniency lets two programs
 * understand two things: lines end in CR LF, no field is folded, no space stands before a colon, no
 * control character anywhere.
 */
final class HeadReader {

    private static final int MOST_FIELDS = 200;

    private final ByteSource source;
    private int left;

    /**
     * Reads from a source.
     *
     * @param limit how many bytes at most
     */
    HeadReader(ByteSource source, int limit) {
        this.source = source;
        this.left = limit;
    }

    /**
     * A line without its end.
     *
     * @throws EOFException where the source ends
     */
    String line() throws IOException, BadMessage {
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        for (int next = next(); next != '\n'; next = next()) {
            if (next == '\r') {
                if (next() != '\n') {
                    throw BadMessage.request("a carriage return stands within a line");
                }
                return line.toString(StandardCharsets.ISO_8859_1);
            }
            if ((next < 0x20 && next != '\t') || next == 0x7f) {
                throw BadMessage.request("a control character stands in a line");
            }
            line.write(next);
        }
        throw BadMessage.request("a line ends without a carriage return");
    }

    private int next() throws IOException, BadMessage {
        int next = source.next();
        if (next < 0) {
            throw new EOFException("the head of a message was cut off");
        }
        left--;
        if (left < 0) {
            throw new BadMessage(431, "the head of the message is too long");
        }
        return next;
    }

    /** Fields up to the empty line. */
    Fields fields() throws IOException, BadMessage {
        List<Field> fields = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (fields.size() == MOST_FIELDS) {
                throw new BadMessage(431, "the message has too many fields");
            }
            fields.add(field(line));
        }
        return new Fields(fields);
    }

    private static Field field(String line) throws BadMessage {
        if (line.startsWith(" ") || line.startsWith("\t")) {
            throw BadMessage.request("a field is continued on a second line");
        }
        int colon = line.indexOf(':');
        if (colon < 1 || !isToken(line.substring(0, colon))) {
            throw BadMessage.request("a line of the head is no field");
        }
        return new Field(line.substring(0, colon), trimmed(line.substring(colon + 1)));
    }

    /** Without spaces and tabs around it; String.strip takes more than those. */
    private static String trimmed(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isBlank(value.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(value.charAt(to - 1))) {
            to--;
        }
        return value.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** Whether it is a word of HTTP (RFC 9110, 5.6.2). */
    static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean digit = c >= '0' && c <= '9';
            if (!letter && !digit && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
                return false;
            }
        }
        return !text.isEmpty();
    }
}
