package dev.carrel.core.apply;

/** What became of an apply that was cut short. */
public enum Recovery {
    /** All its changes are in place now. */
    FINISHED,
    /** The host is as it was before. */
    UNDONE
}
