package dev.carrel.core.overlay;

/** How a diff is written. */
public enum DiffFormat {
    /** A patch that {@code git apply} takes. */
    PATCH,
    /** One line a file with the number of changed lines. */
    STAT,
    /** One letter and one path a line. */
    NAME_STATUS
}
