package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;

/** Processes of sessions as the host sees them. */
final class SessionProcesses {

    private static final Duration SOON = Duration.ofSeconds(60);

    private SessionProcesses() {}

    /** Everything with this word as an argument, wherever it runs, but for this JVM's children. */
    static List<ProcessHandle> withArgument(String word) {
        return ProcessHandle.allProcesses().filter(process -> argument(process, word)).toList();
    }

    /** How many processes of this machine have this text anywhere in their arguments. */
    static long showing(String text) {
        return ProcessHandle.allProcesses()
                .map(process -> read(Path.of("/proc", Long.toString(process.pid()), "cmdline")))
                .filter(arguments -> arguments.contains(text))
                .count();
    }

    private static boolean argument(ProcessHandle process, String word) {
        String line = read(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        return List.of(line.split("\0", -1)).equals(List.of("sleep", word, ""));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        Instant end = Instant.now().plus(SOON);
        while (!condition.call()) {
            assertThat(Instant.now()).as(what).isBefore(end);
            Thread.sleep(50);
        }
    }
}
