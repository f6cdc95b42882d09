package dev.carrel.core.runtime;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Who listens in the network namespace of a session, from the kernel's table (proc_net(5); the
 * columns of {@code /proc/net/tcp}: slot, local address, remote address, state).
 */
final class Loopback {

    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final String LISTENS = "0A";

    private final List<String[]> sockets;

    Loopback(List<String> lines) {
        this.sockets =
                lines.stream()
                        .skip(1)
                        .map(line -> line.strip().split("\\s+", -1))
                        .filter(fields -> fields.length > STATE)
                        .toList();
    }

    /** As it is now in the namespace of this process. */
    static Loopback of(long pid) {
        Path table = Path.of("/proc", Long.toString(pid), "net/tcp");
        try {
            return new Loopback(Files.readAllLines(table));
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read " + table + ": " + e.getMessage(),
                    "The process that held the session was killed; try again.",
                    e);
        }
    }

    /** Whether a program listens there, at 127.0.0.1 or at any address. */
    boolean listensAt(int port) {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        return sockets.stream()
                .anyMatch(fields ->
                        fields[STATE].equals(LISTENS)
                                && (fields[LOCAL].equals("0100007F" + suffix)
                                        || fields[LOCAL].equals("00000000" + suffix)));
    }
}
