package dev.carrel.core.files;

import dev.carrel.core.failure.InvalidInputException;

/** Which part of a file is read. */
public sealed interface FileRange {

    /** All of it. */
    record Whole() implements FileRange {}

    /**
     * Bytes.
     *
     * @param offset the first, from 0
     * @param count how many at most
     */
    record Bytes(long offset, int count) implements FileRange {
        public Bytes {
            if (offset < 0 || count < 0) {
                throw new InvalidInputException(
                        "a range of bytes begins at 0 or later and has 0 or more bytes, not "
                                + offset
                                + " and "
                                + count);
            }
        }
    }

    /**
     * Lines, each with its line end.
     *
     * @param first the first, from 1
     * @param count how many at most
     */
    record Lines(long first, int count) implements FileRange {
        public Lines {
            if (first < 1 || count < 0) {
                throw new InvalidInputException(
                        "a range of lines begins at 1 or later and has 0 or more lines, not "
                                + first
                                + " and "
                                + count);
            }
        }
    }
}
