package dev.carrel.core.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The inode numbers of a process's user and mount namespace. They are given again as soon as a
 * namespace is gone.
 */
record Namespaces(long user, long mount) {

    /** Empty for a process that is gone or belongs to somebody else. */
    static Optional<Namespaces> of(long pid) {
        try {
            return Optional.of(new Namespaces(inode(pid, "user"), inode(pid, "mnt")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static long inode(long pid, String kind) throws IOException {
        String link =
                Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns", kind)).toString();
        return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
    }
}
