package dev.carrel.core.snapshot;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;

/**
 * Which entries of a plain directory are linked, copied or left out.
 *
 * @param linkedOwner the user whose files may be linked; another's would not be the sandbox's
 */
record CopyRules(Readability readability, int linkedOwner) {

    private static final int SET_ID_BITS = 06000;
    private static final int MOST_LINKS = 60_000; // ext4 stops at 65,000

    boolean mayList(FileStatus directory) {
        return readability.mayList(directory);
    }

    /** A link cannot lose bits that its origin has, so programs with set-id bits are copied. */
    boolean mayLink(FileStatus file) {
        return file.type() == FileType.REGULAR
                && file.uid() == linkedOwner
                && (file.mode() & SET_ID_BITS) == 0
                && file.links() < MOST_LINKS;
    }

    boolean mayCopy(Dir parent, byte[] name, FileStatus file) {
        return file.type() == FileType.SYMLINK || readability.mayRead(parent, name, file);
    }
}
