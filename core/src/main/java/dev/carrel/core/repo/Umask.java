package dev.carrel.core.repo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** git creates files by the umask; a snapshot's modes must not depend on the caller's. */
final class Umask {

    private static final List<String> SET = List.of("sh", "-c", "umask 022; exec \"$@\"", "sh");

    private Umask() {}

    /** What has to stand before a program for it to run under 022: nothing where that is so. */
    static List<String> ordinary() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).contains("Umask:\t0022")
                    ? List.of()
                    : SET;
        } catch (IOException e) {
            return SET;
        }
    }
}
