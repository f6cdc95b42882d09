package dev.carrel.core.policy;

import java.nio.file.Path;
import java.util.List;

/**
 * One thing placed into the view of a sandbox. The view is built in list order: later mounts cover
 * earlier ones. Host paths are resolved and checked by whoever makes the list.
 */
public sealed interface Mount {

    /** Where it appears inside. */
    SandboxPath target();

    /** A host file or directory, read-only. It must exist when the sandbox starts. */
    record ReadOnly(Path source, SandboxPath target) implements Mount {}

    /** A host directory that the session owns, writable. */
    record Writable(Path source, SandboxPath target) implements Mount {}

    /** An empty directory with the given permission bits. */
    record EmptyDirectory(SandboxPath target, int mode) implements Mount {}

    /** Memory with a size limit in bytes. */
    record Tmpfs(SandboxPath target, long bytes, int mode) implements Mount {
        public Tmpfs {
            if (bytes <= 0) {
                throw new IllegalArgumentException("a tmpfs needs a size");
            }
        }
    }

    /** A symbolic link with the given text. */
    record Link(String text, SandboxPath target) implements Mount {}

    /** What was built at this place is read-only from here on. Mounts below it are not affected. */
    record Sealed(SandboxPath target) implements Mount {}

    /** A device node of the host. */
    record Device(Path source, SandboxPath target) implements Mount {}

    /**
     * An overlay: {@code lowers} topmost first, at least one; {@code work} on the same file system
     * as {@code upper}.
     */
    record Overlay(List<Path> lowers, Path upper, Path work, SandboxPath target) implements Mount {
        public Overlay {
            lowers = List.copyOf(lowers);
            if (lowers.isEmpty()) {
                throw new IllegalArgumentException("an overlay needs a lower layer");
            }
        }
    }
}
