package dev.carrel.core.tree;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Identity;
import java.util.List;
import java.util.Optional;

/**
 * Removes one tree with a bounded number of open directories, however deep it is: a directory that
 * lies too deep is first moved up to the top of the tree, and so becomes shallow. No path is walked
 * twice, {@code ..} is never used, and nothing leaves the tree's own directories.
 */
final class Deletion {

    private static final int MAX_OPEN = 32;
    private static final int BATCH = 4096;
    private static final int OWNER_ALL = 0700;

    private final Dir parent;
    private final byte[] name;
    private final int caller = Identity.effectiveUid();
    private long moved;

    Deletion(Dir parent, byte[] name) {
        this.parent = parent;
        this.name = name;
    }

    void run() {
        Optional<FileStatus> found = parent.stat(name);
        if (found.isEmpty()) {
            return;
        }
        FileStatus top = found.get();
        if (top.type() != FileType.DIRECTORY) {
            parent.unlink(name);
            return;
        }
        // Compared with the directory around it: the tree itself may be a mount point, too.
        requireSameMount(parent.stat(), top, parent, name);
        try (Dir dir = open(parent, name, top)) {
            empty(dir, dir, top, 1);
        }
        parent.removeDir(name);
    }

    /** In batches, from the beginning each time: a directory may hold more names than memory. */
    private void empty(Dir dir, Dir top, FileStatus status, int depth) {
        for (List<byte[]> batch = dir.names(BATCH); !batch.isEmpty(); batch = dir.names(BATCH)) {
            for (byte[] entry : batch) {
                remove(dir, entry, top, status, depth);
            }
        }
    }

    private void remove(Dir dir, byte[] entry, Dir top, FileStatus status, int depth) {
        Optional<FileStatus> found = dir.stat(entry);
        if (found.isEmpty()) {
            return; // somebody else removed it
        }
        FileStatus child = found.get();
        if (child.type() != FileType.DIRECTORY) {
            dir.unlink(entry);
            return;
        }
        requireSameMount(status, child, dir, entry);
        if (depth >= MAX_OPEN) {
            moveUp(dir, entry, child, top);
            return;
        }
        try (Dir opened = open(dir, entry, child)) {
            empty(opened, top, child, depth + 1);
        }
        dir.removeDir(entry);
    }

    private Dir open(Dir dir, byte[] entry, FileStatus status) {
        makeAccessible(dir, entry, status);
        Dir opened = dir.openDir(entry);
        if (!opened.stat().isSameFile(status)) {
            opened.close();
            throw new ConflictException(
                    "cannot remove " + dir + ": '" + Names.display(entry) + "' was exchanged");
        }
        return opened;
    }

    /** Moving a directory elsewhere needs write permission on it too: its {@code ..} changes. */
    private void moveUp(Dir dir, byte[] entry, FileStatus status, Dir top) {
        makeAccessible(dir, entry, status);
        boolean done = false;
        while (!done) {
            done = dir.tryRenameExclusive(entry, top, Names.bytes(".carrel-removed-" + moved++));
        }
    }

    private void makeAccessible(Dir dir, byte[] entry, FileStatus status) {
        if ((status.mode() & OWNER_ALL) != OWNER_ALL && status.uid() == caller) {
            dir.chmodDir(entry, OWNER_ALL);
        }
    }

    private static void requireSameMount(
            FileStatus around, FileStatus child, Dir dir, byte[] entry) {
        if (around.mountId() != child.mountId() || around.deviceId() != child.deviceId()) {
            throw new HostOperationException(
                    "cannot remove "
                            + dir
                            + ": a file system is mounted on '"
                            + Names.display(entry)
                            + "' in it",
                    "unmount it, see umount(8)");
        }
    }
}
