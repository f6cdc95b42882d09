package dev.carrel.core.apply;

import java.util.Optional;

/** Where the content of what is put in place comes from, beyond the session's own trees. */
sealed interface Material {

    /** The tree that the operation names; links and directories need none. */
    record FromTree() implements Material {}

    /**
     * Made by a merge.
     *
     * @param session what the session had there, to be kept for the next merge
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Merged(byte[] content, Optional<byte[]> session) implements Material {}

    /** What an apply replaced, by its number in the directory for undoing. */
    record Original(int number) implements Material {}
}
