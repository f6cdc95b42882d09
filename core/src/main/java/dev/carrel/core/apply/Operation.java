package dev.carrel.core.apply;

import dev.carrel.core.tree.TreePath;
import java.util.Arrays;

/** One thing that an apply does to the host. Paths are relative to the repository's root. */
public sealed interface Operation {

    /** Where. */
    TreePath path();

    /**
     * Puts a regular file in place, after moving away the file or link that is there.
     *
     * @param mode permission bits
     * @param source where the content is
     */
    record Write(TreePath path, int mode, Source source, boolean replaces) implements Operation {}

    /** Puts a symbolic link in place, after moving away the file or link that is there. */
    @SuppressWarnings("ArrayRecordComponent") // equality is defined below
    record Link(TreePath path, byte[] target, boolean replaces) implements Operation {
        @Override
        public boolean equals(Object other) {
            return other instanceof Link(TreePath where, byte[] text, boolean over)
                    && path.equals(where)
                    && Arrays.equals(target, text)
                    && replaces == over;
        }

        @Override
        public int hashCode() {
            return path.hashCode() + Arrays.hashCode(target);
        }
    }

    /** Creates a directory. */
    record MakeDirectory(TreePath path, int mode) implements Operation {}

    /** Changes permission bits only. */
    record ChangeMode(TreePath path, int from, int to) implements Operation {}

    /** Removes a file or link. */
    record Remove(TreePath path) implements Operation {}

    /**
     * Removes a directory that is empty by then.
     *
     * @param mode its permission bits, to restore it with
     */
    record RemoveDirectory(TreePath path, int mode) implements Operation {}

    /** Which tree has the content of a written file. */
    enum Source {
        /** The session's view. */
        VIEW,
        /** The base: an earlier apply wrote what the session has taken back since. */
        BASE,
        /** Neither: it is made of the session's and the host's changes. */
        MERGED,
        /** What an apply replaced, and an undo brings back. */
        ORIGINAL
    }
}
