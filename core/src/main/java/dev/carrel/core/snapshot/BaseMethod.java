package dev.carrel.core.snapshot;

/** How a base came to be. */
public enum BaseMethod {
    /** A checkout of a commit, shared between sessions, with a private layer on top. */
    CHECKOUT,
    /** A copy that shares its blocks with the origin until one of them is written. */
    REFLINK,
    /**
     * Hard links to the origin's files: a program that writes a file of the origin in place changes
     * the base too; the manifest tells.
     */
    HARD_LINKS,
    /** A full copy. */
    COPY,
    /** No copy: the host's directory itself, as it is at each moment. */
    LIVE
}
