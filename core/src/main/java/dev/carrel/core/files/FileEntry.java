package dev.carrel.core.files;

import java.time.Instant;
import java.util.Optional;

/**
 * An entry of a directory, as {@code lstat} tells it.
 *
 * @param path where it is
 * @param kind what it is
 * @param mode permission bits, with setuid, setgid and sticky
 * @param size in bytes
 * @param modified when its content changed last
 * @param linkTarget where a symbolic link points to, for people; empty for anything else
 */
public record FileEntry(
        ViewPath path,
        EntryKind kind,
        int mode,
        long size,
        Instant modified,
        Optional<String> linkTarget) {}
