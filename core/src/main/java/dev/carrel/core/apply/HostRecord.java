package dev.carrel.core.apply;

import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;

/** What the host's files looked like when a base was made of hard links to them. */
@FunctionalInterface
public interface HostRecord {

    /**
     * Whether a regular file of the host is as it was: recorded size and time of modification.
     *
     * @param now what the host has
     */
    boolean isUnchanged(TreePath path, FileStatus now);
}
