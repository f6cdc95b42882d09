package dev.carrel.core.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Processes as the host sees them, by what they have to do with a folder or a session. */
public final class SeenProcesses {

    private SeenProcesses() {}

    /**
     * The numbers of all that have the text among their arguments or in their mount tables. The
     * kernel writes a table for each reader, which is slow; so it is read once for those that share
     * one.
     */
    public static List<Long> with(String text) throws IOException {
        Set<Path> without = new HashSet<>();
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : all) {
                if (read(process.resolve("cmdline")).contains(text)
                        || hasMounted(process, text, without)) {
                    found.add(Long.valueOf(process.getFileName().toString()));
                }
            }
        }
        return found;
    }

    private static boolean hasMounted(Path process, String text, Set<Path> without) {
        try {
            Path table = Files.readSymbolicLink(process.resolve("ns/mnt"));
            if (without.contains(table)) {
                return false;
            }
            String mounts =
                    Files.readString(process.resolve("mountinfo"), StandardCharsets.ISO_8859_1);
            if (mounts.contains(text)) {
                return true;
            }
            without.add(table);
        } catch (IOException e) {
            // It ended, or is none of ours.
        }
        return false;
    }

    /** What it was started with; empty where it is gone. */
    public static String arguments(long pid) {
        return read(Path.of("/proc", Long.toString(pid), "cmdline"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
