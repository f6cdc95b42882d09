package dev.carrel.core.config;

import java.nio.file.Path;

/**
 * Something in a configuration file that cannot stay as it is.
 *
 * @param file the file
 * @param at where in it
 * @param kind how bad it is
 * @param text what is wrong, and what would be right
 */
public record Problem(Path file, Position at, Kind kind, String text) {

    /** How bad a problem is. */
    public enum Kind {
        /** The file cannot be used. */
        ERROR,
        /** There is no such key: it is passed over when running, and is an error in a check. */
        UNKNOWN,
        /** A repository's own file asks for more than the user's allows: the same. */
        WIDENS,
        /** Something else is used in its place, as documented, or it has a newer name. */
        WARNING;

        /** Whether a check fails because of it. */
        public boolean failsCheck() {
            return this != WARNING;
        }
    }

    /** {@code FILE:LINE:COLUMN: TEXT}, as editors understand it. */
    @Override
    public String toString() {
        return file + ":" + at + ": " + text;
    }
}
