package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.store.AtomicFile;
import dev.carrel.core.store.StateLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;

/**
 * A copy of bubblewrap in the state directory, for sandboxes of a user who cannot reach the
 * original: root's own folders are closed to it.
 */
final class BwrapCopy {

    private final StateLayout layout;

    BwrapCopy(StateLayout layout) {
        this.layout = layout;
    }

    /** The copy, made anew where it differs from the original. */
    Path of(Path original) {
        Path copy = layout.programs().resolve("bwrap");
        try {
            byte[] content = Files.readAllBytes(original);
            if (!Files.isExecutable(copy) || !Arrays.equals(content, Files.readAllBytes(copy))) {
                layout.createPrograms();
                Path aside = layout.programs().resolve("bwrap." + ProcessHandle.current().pid());
                AtomicFile.write(aside, content);
                // Executable before it has its name: another process may be about to run it.
                Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.move(aside, copy, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
            }
            return copy;
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot copy " + original + " to " + copy + ": " + e.getMessage(), null, e);
        }
    }
}
