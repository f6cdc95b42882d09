package dev.carrel.core.repo;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import java.nio.file.Path;
import java.util.List;

/**
 * As whom a repository is read and its hidden references are written: the caller, or its owner
 * where root works on an ordinary user's repository. So root's powers never serve what that user
 * planted, and no file of root's appears in it.
 *
 * @param switched whether the caller has to change to this user
 */
public record OriginUser(int uid, int gid, boolean switched) {

    private static final int ROOT = 0;

    /** The user for the repository at {@code root}. */
    public static OriginUser of(Path root, Identity identity) {
        if (!identity.switched()) {
            return new OriginUser(identity.uid(), identity.gid(), false);
        }
        FileStatus owner;
        try (Dir dir = Dir.open(root)) {
            owner = dir.stat();
        }
        return owner.uid() == ROOT
                ? new OriginUser(ROOT, ROOT, false)
                : new OriginUser(owner.uid(), owner.gid(), true);
    }

    /** What goes in front of a command. */
    public List<String> prefix() {
        return switched ? prefix(uid, gid) : List.of();
    }

    /** What makes a command of root's run as another user. */
    public static List<String> prefix(int uid, int gid) {
        return List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--");
    }

    /** Whether the mode of a file grants this user what {@code bits} (0 to 7) say. */
    public boolean isGranted(FileStatus status, int bits) {
        if (uid == ROOT) {
            return true;
        }
        int shift = status.uid() == uid ? 6 : status.gid() == gid ? 3 : 0;
        return (status.mode() >> shift & bits) == bits;
    }
}
