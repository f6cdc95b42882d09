package dev.carrel.core.overlay;

/**
 * Where looking at a hostile tree stops, with a notice.
 *
 * @param depth the deepest level that is entered
 * @param entries how many entries of the upper layer and of deleted directories are met
 * @param comparedBytes files of equal size above this are called modified without reading them
 */
public record Limits(int depth, long entries, long comparedBytes) {

    /** A thousand levels, two million entries, 8 GiB. */
    public static final Limits STANDARD = new Limits(1_000, 2_000_000, 8L << 30);

    public Limits {
        if (depth < 1 || entries < 1 || comparedBytes < 0) {
            throw new IllegalArgumentException("limits of a walk");
        }
    }
}
