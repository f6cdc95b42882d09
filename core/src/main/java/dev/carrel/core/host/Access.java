package dev.carrel.core.host;

import dev.carrel.core.policy.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the user of a sandbox may do in directories of the host. The kernel would refuse a mount in
 * one that this user may not enter; nothing has to be hidden there either.
 */
interface Access {

    /** Whether paths may lead through this directory. */
    boolean enters(Path directory);

    /** Whether its names may be listed as well. */
    boolean lists(Path directory);

    /**
     * Of sandboxes of this identity. The kernel is asked where it is the caller's own, so that all
     * groups and access control lists count.
     */
    static Access of(Identity identity, HostFiles files) {
        return identity.switched()
                ? new Remembering(new ByBits(files, identity), new HashMap<>(), new HashMap<>())
                : new OfCaller();
    }

    /** Looks once at each directory. For one thread, and a moment. */
    record Remembering(Access real, Map<Path, Boolean> entered, Map<Path, Boolean> listed)
            implements Access {
        @Override
        public boolean enters(Path directory) {
            return entered.computeIfAbsent(directory, real::enters);
        }

        @Override
        public boolean lists(Path directory) {
            return listed.computeIfAbsent(directory, real::lists);
        }
    }

    /** The user of this process. */
    record OfCaller() implements Access {
        @Override
        public boolean enters(Path directory) {
            return Files.isExecutable(directory);
        }

        @Override
        public boolean lists(Path directory) {
            return Files.isReadable(directory) && Files.isExecutable(directory);
        }
    }

    /** Another one, without further groups. */
    record ByBits(HostFiles files, Identity identity) implements Access {
        @Override
        public boolean enters(Path directory) {
            return Reach.entering(files, directory, user()).isEmpty();
        }

        @Override
        public boolean lists(Path directory) {
            return Reach.obstacle(files, directory, user(), Reach.READ).isEmpty();
        }

        private Owner user() {
            return new Owner(identity.uid(), identity.gid());
        }
    }
}
