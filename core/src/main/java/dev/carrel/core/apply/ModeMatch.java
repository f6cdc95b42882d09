package dev.carrel.core.apply;

/** When permission bits of a host file count as those of the base. */
public enum ModeMatch {
    /** All nine bits are equal: the base is a copy of the host's files. */
    EXACT,
    /**
     * Both or neither may be executed; directories always match. A git checkout records no more, so
     * that base and host differ where their umasks did.
     */
    EXECUTABLE
}
