package dev.carrel.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Which version this is. */
final class Version {

    private Version() {}

    /**
     * The version that the build wrote beside this class; the launcher's class path has no module
     * to ask.
     */
    static String text() {
        try (InputStream file = Version.class.getResourceAsStream("version")) {
            return file == null
                    ? "of an unfinished build"
                    : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
