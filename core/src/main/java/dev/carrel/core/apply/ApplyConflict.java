package dev.carrel.core.apply;

import dev.carrel.core.overlay.Entry;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/**
 * A place that both sides changed in ways that do not go together. Nothing is written there.
 *
 * @param repo the repository's name in the session
 * @param reason what the sides did, or what else stands in the way
 * @param base what the session started from
 * @param host what the host has
 * @param session what the session has
 */
public record ApplyConflict(
        String repo,
        TreePath path,
        String reason,
        Optional<Entry> base,
        Optional<Entry> host,
        Optional<Entry> session) {

    static ApplyConflict of(String repo, TreePath path, String reason) {
        return new ApplyConflict(
                repo, path, reason, Optional.empty(), Optional.empty(), Optional.empty());
    }

    ApplyConflict with(Optional<Entry> ofBase, Optional<Entry> ofHost, Optional<Entry> ofSession) {
        return new ApplyConflict(repo, path, reason, ofBase, ofHost, ofSession);
    }

    /** One line for people. */
    @Override
    public String toString() {
        return repo + "/" + path + ": " + reason;
    }
}
