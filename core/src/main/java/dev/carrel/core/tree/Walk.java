package dev.carrel.core.tree;

import dev.carrel.core.failure.HostOperationException;

/**
 * Visits a tree in the order of {@link TreePath}: a directory, then what it holds. Bounded in depth
 * and number of entries, and in the number of directories that are open at once.
 */
public final class Walk {

    private Walk() {}

    /** Visits with {@link Limits#STANDARD}. */
    public static void of(Dir root, Visitor visitor) {
        of(root, visitor, Limits.STANDARD);
    }

    /**
     * Visits all below {@code root}, which stays open.
     *
     * @throws HostOperationException where a limit is exceeded, or a directory cannot be read
     * @throws dev.carrel.core.failure.ConflictException where a directory was exchanged meanwhile
     */
    public static void of(Dir root, Visitor visitor, Limits limits) {
        new Walker(root, visitor, limits).run();
    }

    /**
     * Where to stop.
     *
     * @param depth the deepest allowed {@link TreePath#depth}
     * @param entries how many entries may be met
     */
    public record Limits(int depth, long entries) {

        /** A thousand levels and ten million entries. */
        public static final Limits STANDARD = new Limits(1_000, 10_000_000);

        public Limits {
            if (depth < 1 || entries < 1) {
                throw new IllegalArgumentException("limits " + depth + ", " + entries);
            }
        }
    }

    /** What is told about each entry. Handles belong to the walk: they are closed by it. */
    public interface Visitor {

        /** A directory, the root first; false leaves out what it holds. */
        boolean enter(TreePath dir, Dir handle, FileStatus status);

        /** Anything that is not a directory. */
        void file(TreePath path, Dir parent, FileStatus status);

        /** After all that a directory held, if it was entered. Not called for the root. */
        default void leave(TreePath dir, Dir parent, FileStatus status) {}

        /** In place of {@link #enter}, for a directory that the caller may not open or list. */
        default void unreadable(
                TreePath dir, Dir parent, FileStatus status, HostOperationException why) {
            throw why;
        }
    }
}
