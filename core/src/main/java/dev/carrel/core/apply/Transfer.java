package dev.carrel.core.apply;

import dev.carrel.core.posix.Identity;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import java.util.List;

/**
 * Brings files and links to another directory: as they are where one mount has both, else copied.
 */
final class Transfer {

    private Transfer() {}

    /**
     * Afterwards these entries are at their new places, by the same names; they may still be at the
     * old ones as well. What a kill left half copied is replaced; what has gone already is left
     * out.
     */
    static void moveAll(Dir from, List<byte[]> names, Dir to) {
        boolean oneMount = isOneMount(from, to);
        for (byte[] name : names) {
            if (oneMount) {
                from.renameIfExists(name, to, name);
            } else if (from.stat(name).isPresent()) {
                if (to.stat(name).isPresent()) {
                    to.unlink(name);
                }
                copy(from, name, to, name);
            }
        }
    }

    /** Gives it a second name where one mount has both and the kernel allows it, else copies it. */
    static void link(Dir from, byte[] name, Dir to, byte[] newName) {
        // The files of others may not be linked where fs.protected_hardlinks is set.
        int user = Identity.effectiveUid();
        boolean own = user == 0 || from.stat(name).filter(s -> s.uid() == user).isPresent();
        if (own && isOneMount(from, to)) {
            from.link(name, to, newName);
        } else {
            copy(from, name, to, newName);
        }
    }

    private static boolean isOneMount(Dir one, Dir other) {
        FileStatus left = one.stat();
        FileStatus right = other.stat();
        return left.deviceId() == right.deviceId() && left.mountId() == right.mountId();
    }

    /** With mode, owner and time; a half-made copy never has the new name. */
    static void copy(Dir from, byte[] name, Dir to, byte[] newName) {
        FileStatus status = from.stat(name).orElseThrow();
        if (status.type() == FileType.SYMLINK) {
            to.symlink(from.readLink(name), newName);
        } else {
            to.cloneOrCopyFrom(from, name, newName, status.mode());
        }
        if (Identity.effectiveUid() == 0) {
            to.chown(newName, status.uid(), status.gid());
        }
        to.setModified(newName, status.modified());
    }
}
