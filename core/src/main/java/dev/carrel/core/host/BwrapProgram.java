package dev.carrel.core.host;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A bubblewrap that was found trustworthy and proven to do what a session needs.
 *
 * @param path its resolved, absolute path
 * @param version what it says of itself, such as {@code 0.12.0}
 */
public record BwrapProgram(Path path, String version) {

    static final String REACHABLE =
            "install Carrel or bubblewrap where everybody may enter, such as /usr/local";

    /** Whether sandboxes of this identity can execute it: a folder above may be private to root. */
    public boolean reachableBy(Identity identity) {
        return obstacle(identity).isEmpty();
    }

    /** What keeps this identity from executing it, in words that can follow "because". */
    public Optional<String> obstacle(Identity identity) {
        return Reach.obstacle(
                new LiveFiles(), path, new Owner(identity.uid(), identity.gid()), Reach.EXECUTE);
    }

    /**
     * Refuses an identity that cannot execute it.
     *
     * @throws UnsupportedHostException with the folder that is in the way
     */
    public void requireReachableBy(Identity identity) {
        Optional<String> obstacle = identity.switched() ? obstacle(identity) : Optional.empty();
        if (obstacle.isPresent()) {
            throw new UnsupportedHostException(
                    "sandboxes cannot execute " + path + ": " + obstacle.get(), REACHABLE);
        }
    }
}
