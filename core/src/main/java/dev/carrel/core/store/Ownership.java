package dev.carrel.core.store;

import dev.carrel.core.posix.Identity;

/** The user and group that a directory belongs to, by number. */
public record Ownership(int uid, int gid) {

    /** Those of this process. */
    public static Ownership ofCaller() {
        return new Ownership(Identity.effectiveUid(), Identity.effectiveGid());
    }
}
