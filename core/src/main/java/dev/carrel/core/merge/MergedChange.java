package dev.carrel.core.merge;

import dev.carrel.core.repo.FileMode;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/**
 * What has to happen at one place to turn the host's side into the merged tree.
 *
 * @param after empty where the file goes
 */
public record MergedChange(TreePath path, Optional<Merged> after) {

    /** A file or link of the merged tree. */
    public sealed interface Merged {

        /** What it is. */
        FileMode mode();

        /** The session's side has just this at the same place. */
        record AsSession(FileMode mode) implements Merged {}

        /** Made of both sides, or moved by one of them. */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Content(FileMode mode, byte[] bytes) implements Merged {}
    }
}
