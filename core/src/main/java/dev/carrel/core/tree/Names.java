package dev.carrel.core.tree;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;

/** File names as bytes: which are valid, and how they are shown. */
public final class Names {

    private static final int MAX_UTF8 = 4;

    private Names() {}

    /** The bytes of a name written in a program. */
    public static byte[] bytes(String name) {
        return name.getBytes(UTF_8);
    }

    /**
     * The name itself.
     *
     * @throws InvalidInputException where it is empty, {@code .} or {@code ..}, or has a slash or a
     *     NUL
     */
    static byte[] checked(byte[] name) {
        boolean dots =
                name.length > 0
                        && name.length <= 2
                        && name[0] == '.'
                        && name[name.length - 1] == '.';
        if (name.length == 0 || dots || has(name, '/') || has(name, 0)) {
            throw new InvalidInputException(
                    "'" + display(name) + "' is not the name of an entry of a directory");
        }
        return name;
    }

    private static boolean has(byte[] name, int unwanted) {
        for (byte b : name) {
            if (b == unwanted) {
                return true;
            }
        }
        return false;
    }

    /**
     * For people: UTF-8 where it is valid; control and format characters (those that turn the
     * direction of text among them), quotes, backslashes and invalid bytes as git quotes them, but
     * without quotes around. A terminal shows it as one line and cannot be driven by it.
     */
    public static String display(byte[] name) {
        StringBuilder text = new StringBuilder(name.length);
        for (int at = 0; at < name.length; ) {
            at += name[at] >= 0 ? appendAscii(text, name[at]) : appendOther(text, name, at);
        }
        return text.toString();
    }

    private static int appendAscii(StringBuilder text, byte b) {
        int special = "\u0007\b\t\n\u000b\f\r\"\\".indexOf(b);
        if (special >= 0) {
            text.append('\\').append("abtnvfr\"\\".charAt(special));
        } else if (b < 0x20 || b == 0x7f) {
            appendOctal(text, new byte[] {b}, 0, 1);
        } else {
            text.append((char) b);
        }
        return 1;
    }

    /** One character, or one byte that begins none. */
    private static int appendOther(StringBuilder text, byte[] name, int at) {
        int length = characterLength(name, at);
        if (length == 0) {
            appendOctal(text, name, at, 1);
            return 1;
        }
        String character = new String(name, at, length, UTF_8);
        if (harmless(character.codePointAt(0))) {
            text.append(character);
        } else {
            appendOctal(text, name, at, length);
        }
        return length;
    }

    private static void appendOctal(StringBuilder text, byte[] name, int at, int length) {
        for (int i = at; i < at + length; i++) {
            int b = name[i] & 0xff;
            byte[] octal = {
                '\\', (byte) ('0' + (b >> 6)), (byte) ('0' + ((b >> 3) & 7)), (byte) ('0' + (b & 7))
            };
            text.append(new String(octal, US_ASCII));
        }
    }

    private static boolean harmless(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }

    /** Of the character that begins there; zero where none does. */
    private static int characterLength(byte[] name, int at) {
        for (int length = 2; length <= MAX_UTF8 && at + length <= name.length; length++) {
            if (isOneCharacter(name, at, length)) {
                return length;
            }
        }
        return 0;
    }

    private static boolean isOneCharacter(byte[] name, int at, int length) {
        CharsetDecoder strict =
                UTF_8.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        try {
            var decoded = strict.decode(ByteBuffer.wrap(name, at, length));
            return decoded.length() == Character.charCount(Character.codePointAt(decoded, 0));
        } catch (CharacterCodingException invalid) {
            return false;
        }
    }
}
