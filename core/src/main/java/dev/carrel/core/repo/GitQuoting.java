package dev.carrel.core.repo;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** How git writes a path or a value that a line cannot hold as it is. */
final class GitQuoting {

    private GitQuoting() {}

    /** A path for an alternates file or variable. */
    static String alternate(String path) {
        boolean plain =
                !path.startsWith("\"")
                        && !path.startsWith("#")
                        && path.indexOf('\n') < 0
                        && path.indexOf(':') < 0
                        && path.indexOf('\\') < 0;
        return plain ? path : value(path);
    }

    /** A value in a configuration file, always in quotes. */
    static String value(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t")
                + '"';
    }

    /** What a line of an alternates file means, quotes and C escapes undone. */
    static String unquoted(String line) {
        if (!line.startsWith("\"") || !line.endsWith("\"") || line.length() < 2) {
            return line;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 1; i < line.length() - 1; i++) {
            char c = line.charAt(i);
            if (c != '\\') {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            char escaped = line.charAt(++i);
            if (escaped >= '0' && escaped <= '3' && i + 2 < line.length()) {
                bytes.write(Integer.parseInt(line.substring(i, i + 3), 8));
                i += 2;
            } else {
                bytes.write(control(escaped));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static char control(char escaped) {
        return switch (escaped) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'a' -> '\007';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'v' -> '\013';
            default -> escaped;
        };
    }
}
