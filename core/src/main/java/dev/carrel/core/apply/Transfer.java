package dev.carrel.core.apply;

import dev.carrel.core.posix.Identity;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;

/**
 * Brings files and links to another directory: as they are where one mount has both, else copied.
 */
final class Transfer {

    private Transfer() {}

    /** Afterwards the entry is at its new place; it may still be at the old one as well. */
    static void move(Dir from, byte[] name, Dir to, byte[] newName) {
        if (isOneMount(from, to)) {
            from.renameExclusive(name, to, newName);
        } else {
            copy(from, name, to, newName);
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
