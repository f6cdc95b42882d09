package dev.carrel.core.session;

import dev.carrel.core.policy.EgressEvent;
import java.util.List;
import java.util.Optional;

/**
 * What a command met at the border of its session's network. Where several commands of one process
 * run in a session at once, each is told of what was denied to any of them.
 *
 * @param denied each host and port once, in the order of time; the first 50
 * @param lost why the network was lost while the command ran; the next one has it again
 */
public record NetworkResult(List<EgressEvent.Denied> denied, Optional<String> lost) {

    /** Nothing. */
    public static final NetworkResult NOTHING = new NetworkResult(List.of(), Optional.empty());

    public NetworkResult {
        denied = List.copyOf(denied);
    }
}
