package dev.carrel.core.host;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
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
public final class BwrapCopy {

    private final StateLayout layout;

    /** Copies go into this state directory, which is created when there is one to make. */
    public BwrapCopy(StateLayout layout) {
        this.layout = layout;
    }

    /**
     * The program as sandboxes of an identity can execute it: itself, or a copy.
     *
     * @throws dev.carrel.core.failure.UnsupportedHostException if the state directory cannot be
     *     reached either
     */
    public BwrapProgram reachableBy(Identity identity, BwrapProgram program) {
        if (!identity.switched() || program.reachableBy(identity)) {
            return program;
        }
        BwrapProgram copy = new BwrapProgram(of(program.path()), program.version());
        copy.requireReachableBy(identity);
        return copy;
    }

    /** The copy, made anew where it differs from the original. */
    private Path of(Path original) {
        layout.create();
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
