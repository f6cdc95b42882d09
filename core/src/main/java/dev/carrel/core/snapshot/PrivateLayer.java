package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The directory of a session that becomes the topmost layer of its base. */
record PrivateLayer(Path parent) {

    private static final String BUILDING = ".base-building";
    private static final String BASE = "base";
    private static final int OWNER_ALL = 0700;

    Path base() {
        return parent.resolve(BASE);
    }

    Path building() {
        return parent.resolve(BUILDING);
    }

    Path manifest() {
        return parent.resolve("manifest");
    }

    /** Removes what an earlier attempt left and starts with an empty directory. */
    void begin() {
        try {
            Files.createDirectories(parent);
            Trees.delete(parent, BUILDING);
            Trees.delete(parent, BASE);
            Files.deleteIfExists(manifest());
            Files.createDirectory(building());
        } catch (IOException e) {
            throw new HostOperationException("cannot make " + building() + ": " + e, null, e);
        }
    }

    /**
     * Gives it the mode of the origin's root, its owner and its name.
     *
     * @param whole whether all below is given away too; hard links must not be, they are the
     *     origin's files
     */
    void publish(Path origin, Identity identity, boolean whole) {
        try {
            Files.setPosixFilePermissions(building(), modeOf(origin));
            if (identity.switched()) {
                give(identity, whole);
            }
            Files.move(building(), base(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new HostOperationException("cannot finish " + base() + ": " + e, null, e);
        }
    }

    private void give(Identity identity, boolean whole) {
        if (whole) {
            Trees.chownTree(building(), identity.uid(), identity.gid());
            return;
        }
        try (Dir dir = Dir.open(parent)) {
            dir.chown(Names.bytes(BUILDING), identity.uid(), identity.gid());
        }
    }

    private static Set<PosixFilePermission> modeOf(Path origin) {
        FileStatus status;
        try (Dir dir = Dir.open(origin)) {
            status = dir.stat();
        }
        int mode = status.mode() | OWNER_ALL;
        StringBuilder text = new StringBuilder();
        for (int bit = 8; bit >= 0; bit--) {
            text.append((mode >> bit & 1) == 1 ? "xwr".charAt(bit % 3) : '-');
        }
        return PosixFilePermissions.fromString(text.toString());
    }
}
