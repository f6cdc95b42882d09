package dev.carrel.core.apply;

import dev.carrel.core.tree.TreePath;

/**
 * A place of the host that is not what the session started from, so that nothing is written.
 *
 * @param repo the repository's name in the session
 * @param reason what the host has there, or what else stands in the way
 */
public record ApplyConflict(String repo, TreePath path, String reason) {

    /** One line for people. */
    @Override
    public String toString() {
        return repo + "/" + path + ": " + reason;
    }
}
