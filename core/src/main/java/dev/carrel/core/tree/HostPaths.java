package dev.carrel.core.tree;

import dev.carrel.core.failure.InvalidInputException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The bytes of a path of the host, as Java decoded them. */
final class HostPaths {

    // The charset that java.nio.file uses for names on Linux.
    private static final Charset NAMES =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private HostPaths() {}

    static byte[] bytes(Path path) {
        String text = path.toString();
        byte[] bytes = text.getBytes(NAMES);
        if (text.equals(new String(bytes, NAMES))) {
            return bytes;
        }
        if (NAMES.equals(StandardCharsets.UTF_8)) {
            throw new InvalidInputException("the path " + text + " is not valid UTF-8");
        }
        throw new InvalidInputException(
                "the path " + text + " cannot be written in " + NAMES, "set LC_ALL=C.UTF-8");
    }
}
