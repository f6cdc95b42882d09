package dev.carrel.core.seccomp;

/** Whether a process may make sockets of the family AF_UNIX. */
public enum UnixSockets {
    /** It may: nothing that listens for others can be reached. */
    ALLOWED,
    /**
     * It may not: a read-only mount does not keep anybody from connecting to a socket in it. Pairs
     * of connected sockets, which reach nobody else, can still be made.
     */
    REFUSED
}
