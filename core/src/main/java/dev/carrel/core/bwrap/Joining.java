package dev.carrel.core.bwrap;

import java.util.List;

/** Entering the namespaces that a pause holds. */
public final class Joining {

    private Joining() {}

    /**
     * The words in front of a program that make it run in user, mount and network namespace of
     * {@code pid}.
     */
    public static List<String> namespaces(long pid) {
        return List.of(
                "nsenter", "--preserve-credentials", "-U", "-m", "-n", "-t", Long.toString(pid));
    }

    /** The same for the network only; the program keeps the host's files. */
    public static List<String> network(long pid) {
        return List.of("nsenter", "--preserve-credentials", "-U", "-n", "-t", Long.toString(pid));
    }
}
