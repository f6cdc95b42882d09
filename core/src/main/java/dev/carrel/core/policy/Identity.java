package dev.carrel.core.policy;

/**
 * Under which user sandboxed processes run on the host. Never uid 0: the kernel grants uid 0 writes
 * to {@code /proc/sys} by number, whatever its capabilities.
 *
 * @param uid the host's user number of every sandboxed process, and the owner of the session's
 *     files
 * @param gid its group number
 * @param switched whether Carrel itself runs as another user (root) and has to change to it
 */
public record Identity(int uid, int gid, boolean switched) {

    public Identity {
        if (uid <= 0 || gid < 0) {
            throw new IllegalArgumentException(
                    "a sandbox never runs as uid " + uid + ", gid " + gid);
        }
    }
}
