package dev.carrel.core.files;

/** What an entry of a directory is; links are not followed. */
public enum EntryKind {
    /** A regular file. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** A symbolic link. */
    LINK,
    /** A FIFO, a socket or a device. */
    SPECIAL
}
