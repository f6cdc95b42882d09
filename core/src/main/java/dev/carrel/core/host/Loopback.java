package dev.carrel.core.host;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who listens in the network namespace of a session, from the kernel's table (proc_net(5); the
 * columns of {@code /proc/net/tcp} include local address, state and inode).
 */
public final class Loopback {

    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENS = "0A";
    private static final String LOOPBACK = "0100007F";
    private static final String ANY = "00000000";

    private final List<String[]> sockets;

    Loopback(List<String> lines) {
        this.sockets =
                lines.stream()
                        .skip(1)
                        .map(line -> line.strip().split("\\s+", -1))
                        .filter(fields -> fields.length > INODE)
                        .toList();
    }

    /** As it is now in the namespace of this process. */
    public static Loopback of(long pid) {
        try {
            return new Loopback(lines(pid));
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read the sockets of process " + pid + ": " + e.getMessage(),
                    "The process that held the session was killed; try again.",
                    e);
        }
    }

    private static List<String> lines(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "net/tcp"));
    }

    /** Whether anything listens there, at 127.0.0.1 or at any address. */
    public boolean isTaken(int port) {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        return sockets.stream()
                .anyMatch(fields ->
                        fields[STATE].equals(LISTENS)
                                && (fields[LOCAL].equals(LOOPBACK + suffix)
                                        || fields[LOCAL].equals(ANY + suffix)));
    }

    /**
     * The descriptor by which this very process listens at a port of 127.0.0.1 of its network;
     * empty if it does not, or is gone. Another process may listen there.
     */
    static OptionalInt listener(long pid, int port) {
        try {
            Set<String> sockets = new Loopback(lines(pid)).listening(port);
            return sockets.isEmpty() ? OptionalInt.empty() : descriptor(pid, sockets);
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }

    private Set<String> listening(int port) {
        String address = String.format(Locale.ROOT, "%s:%04X", LOOPBACK, port);
        return sockets.stream()
                .filter(fields -> fields[STATE].equals(LISTENS) && fields[LOCAL].equals(address))
                .map(fields -> "socket:[" + fields[INODE] + "]")
                .collect(Collectors.toSet());
    }

    private static OptionalInt descriptor(long pid, Set<String> wanted) {
        Path descriptors = Path.of("/proc", Long.toString(pid), "fd");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path descriptor : all) {
                if (wanted.contains(target(descriptor))) {
                    return OptionalInt.of(Integer.parseInt(descriptor.getFileName().toString()));
                }
            }
            return OptionalInt.empty();
        } catch (IOException e) {
            // It is gone, or only on its way.
            return OptionalInt.empty();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
