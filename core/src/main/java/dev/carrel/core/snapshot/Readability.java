package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.repo.OriginUser;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import java.io.IOException;

/**
 * What the origin's user may read. Where root copies for another user, the kernel would not say no,
 * so the modes are asked; for the caller itself they are asked first because that is cheaper.
 */
record Readability(OriginUser user) {

    private static final int READ = 4;
    private static final int READ_AND_PASS = 5;

    boolean mayRead(Dir parent, byte[] name, FileStatus file) {
        return user.isGranted(file, READ) || (!user.switched() && canOpen(parent, name));
    }

    /** For the caller itself the walk finds out. */
    boolean mayList(FileStatus directory) {
        return !user.switched() || user.isGranted(directory, READ_AND_PASS);
    }

    private static boolean canOpen(Dir parent, byte[] name) {
        try {
            parent.read(name).close();
            return true;
        } catch (HostOperationException | IOException denied) {
            return false;
        }
    }
}
