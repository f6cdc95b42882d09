package dev.carrel.core.posix;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The signals of a terminal that this process ignores, as one that a script started in its
 * background does. Programs that it starts inherit that, and a shell cannot undo it (POSIX, {@code
 * trap}).
 */
public final class IgnoredSignals {

    private static final Map<String, Integer> OF_A_TERMINAL = new LinkedHashMap<>();

    static {
        OF_A_TERMINAL.put("INT", 2);
        OF_A_TERMINAL.put("QUIT", 3);
        OF_A_TERMINAL.put("TSTP", 20);
        OF_A_TERMINAL.put("TTIN", 21);
        OF_A_TERMINAL.put("TTOU", 22);
    }

    private IgnoredSignals() {}

    /**
     * Their names without SIG, from {@code SigIgn} of {@code /proc/self/status} (proc(5)).
     *
     * @throws HostOperationException if {@code /proc} cannot be read
     */
    public static List<String> ofATerminal() {
        try {
            return among(Files.readAllLines(Path.of("/proc/self/status")));
        } catch (IOException e) {
            throw new HostOperationException("cannot read /proc/self/status: " + e, null, e);
        }
    }

    static List<String> among(List<String> status) {
        long ignored =
                status.stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                        .findFirst()
                        .orElse(0);
        return OF_A_TERMINAL.entrySet().stream()
                .filter(signal -> (ignored >>> (signal.getValue() - 1) & 1) == 1)
                .map(Map.Entry::getKey)
                .toList();
    }
}
