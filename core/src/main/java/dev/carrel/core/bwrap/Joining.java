package dev.carrel.core.bwrap;

import dev.carrel.core.policy.Identity;
import java.util.ArrayList;
import java.util.List;

/**
 * Entering the namespaces that a pause holds.
 *
 * @param pid the pause, or a process of the session
 * @param ownNetwork whether the session has a network of its own; without one there is none to
 *     enter, and no right to
 * @param privileged whether this process has the rights to enter whatever is below it and to become
 *     anybody there; root in a container often has not
 */
public record Joining(long pid, boolean ownNetwork, boolean privileged) {

    /**
     * The words in front of a program that make it run in the session's user, mount and network
     * namespace, as its sandbox user.
     */
    List<String> words(Identity identity) {
        return ownNetwork ? enter(identity, "-m", "-n") : enter(identity, "-m");
    }

    /** The same for the network only; the program keeps the host's files. */
    List<String> network(Identity identity) {
        return enter(identity, "-n");
    }

    private List<String> enter(Identity identity, String... namespaces) {
        List<String> words = new ArrayList<>();
        if (identity.switched() && privileged) {
            // It becomes number 0 of the user namespace, for user and group, without other groups:
            // that is the sandbox user, the only one who has a number there.
            words.add("nsenter");
        } else {
            words.addAll(Switching.to(identity));
            words.addAll(List.of("nsenter", "--preserve-credentials"));
        }
        words.add("-U");
        words.addAll(List.of(namespaces));
        words.addAll(List.of("-t", Long.toString(pid)));
        return words;
    }
}
