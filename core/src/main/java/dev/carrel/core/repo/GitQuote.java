package dev.carrel.core.repo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;

/** Paths in double quotes as git reads them: pure ASCII, whatever their bytes are. */
final class GitQuote {

    private GitQuote() {}

    /** In quotes, needed or not. */
    static byte[] always(byte[] path) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte b : path) {
            if (b == '"' || b == '\\') {
                quoted.append('\\').append((char) b);
            } else if (b < 0x20 || b == 0x7f) { // bytes above 0x7f are negative: all are ASCII then
                quoted.append(String.format(Locale.ROOT, "\\%03o", b & 0xff));
            } else {
                quoted.append((char) b);
            }
        }
        return quoted.append('"').toString().getBytes(US_ASCII);
    }
}
