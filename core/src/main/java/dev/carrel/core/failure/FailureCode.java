package dev.carrel.core.failure;

import java.util.Locale;

/** Stable names of failures. Names are only added, never renamed: programs compare them. */
public enum FailureCode {
    /** A request, an option or a file is wrong. */
    INVALID_INPUT,
    /** The machine lacks something that the request needs. */
    UNSUPPORTED_HOST,
    /** No such session, repository, path. */
    NOT_FOUND,
    /** Busy, locked, or changed underneath. */
    CONFLICT,
    /** A file of Carrel's own cannot be read. */
    BROKEN_STORE,
    /** The operating system refused an operation: disk full, no permission, a failed program. */
    HOST_OPERATION;

    /** The name as JSON carries it: lower case with dashes. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
