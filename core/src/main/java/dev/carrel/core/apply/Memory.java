package dev.carrel.core.apply;

import java.util.Optional;

/** What is remembered of a place once an operation is done there. */
sealed interface Memory {

    /** What was written is the session's. */
    record AsWritten() implements Memory {}

    /** What was written is a merge; this is what the session had. */
    record Merged(Fingerprint session) implements Memory {}

    /** This; empty for nothing. */
    record Exactly(Optional<Applied> applied) implements Memory {}

    /** What was remembered before. */
    record Unchanged() implements Memory {}

    /** Nothing. */
    static Memory forgotten() {
        return new Exactly(Optional.empty());
    }
}
