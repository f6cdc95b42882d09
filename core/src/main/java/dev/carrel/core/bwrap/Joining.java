package dev.carrel.core.bwrap;

import java.util.ArrayList;
import java.util.List;

/**
 * Entering the namespaces that a pause holds.
 *
 * @param pid the pause, or a process of the session
 * @param ownNetwork whether the session has a network of its own; without one there is none to
 *     enter, and no right to
 */
public record Joining(long pid, boolean ownNetwork) {

    /**
     * The words in front of a program that make it run in the session's user, mount and network
     * namespace.
     */
    public List<String> words() {
        return ownNetwork ? enter("-m", "-n") : enter("-m");
    }

    /** The same for the network only; the program keeps the host's files. */
    List<String> network() {
        return enter("-n");
    }

    private List<String> enter(String... namespaces) {
        List<String> words = new ArrayList<>(List.of("nsenter", "--preserve-credentials", "-U"));
        words.addAll(List.of(namespaces));
        words.addAll(List.of("-t", Long.toString(pid)));
        return words;
    }
}
