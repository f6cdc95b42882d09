package dev.carrel.core.tree;

import dev.carrel.core.failure.HostOperationException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Work on whole trees that others may have written. Links are never followed. */
public final class Trees {

    private Trees() {}

    /**
     * Removes an entry and all below it, whatever others put there. Nothing happens where it is
     * missing.
     *
     * @see #delete(Dir, byte[])
     */
    public static void delete(Path parent, String name) {
        try (Dir dir = Dir.open(parent)) {
            delete(dir, Names.bytes(name));
        }
    }

    /**
     * Removes an entry and all below it: directories without permissions (those of the caller), any
     * depth and number of entries. Links, devices, FIFOs and sockets are removed, never opened.
     * Nothing happens where it is missing.
     *
     * @throws HostOperationException where the kernel refuses, or a file system is mounted inside;
     *     what was removed until then is gone, and a repetition goes on from there
     */
    public static void delete(Dir parent, byte[] name) {
        new Deletion(parent, name).run();
    }

    /**
     * What the tree takes on disk, in bytes, as {@code du} counts: blocks, files with several names
     * once. Directories that the caller may not read, or that lie a thousand levels deep, count
     * themselves only.
     *
     * @throws HostOperationException where it is missing or has more than a hundred million entries
     */
    public static long diskUsage(Path root) {
        return measure(root).bytes();
    }

    /**
     * What a tree takes on disk.
     *
     * @param bytes of what could be counted
     * @param complete whether that is everything
     */
    public record DiskUse(long bytes, boolean complete) {}

    /** The same as {@link #diskUsage}, which says whether something could not be counted. */
    public static DiskUse measure(Path root) {
        DiskUsage usage = new DiskUsage();
        try (Dir dir = Dir.open(root)) {
            Walk.of(dir, usage, DiskUsage.LIMITS);
        }
        return new DiskUse(usage.bytes, usage.complete);
    }

    /** Gives the directory and all below it to a user and a group; set-id bits of files go. */
    public static void chownTree(Path root, int uid, int gid) {
        Path parent = root.toAbsolutePath().getParent();
        Path name = root.getFileName();
        if (parent == null || name == null) {
            throw new HostOperationException("cannot give away " + root + ": it is not a tree");
        }
        try (Dir dir = Dir.open(parent)) {
            byte[] entry = HostPaths.bytes(name);
            // From below: once a directory is another's, its contents could be exchanged for links
            // to directories; fchownat would not follow them, but would find other files.
            try (Dir tree = dir.openDir(entry)) {
                Walk.of(tree, new Chown(uid, gid));
            }
            dir.chown(entry, uid, gid);
        }
    }

    private static final class Chown implements Walk.Visitor {

        private final int uid;
        private final int gid;

        Chown(int uid, int gid) {
            this.uid = uid;
            this.gid = gid;
        }

        @Override
        public boolean enter(TreePath dir, Dir handle, FileStatus status) {
            return true;
        }

        @Override
        public void file(TreePath path, Dir parent, FileStatus status) {
            parent.chown(path.name(), uid, gid);
        }

        @Override
        public void leave(TreePath dir, Dir parent, FileStatus status) {
            parent.chown(dir.name(), uid, gid);
        }
    }

    private static final class DiskUsage implements Walk.Visitor {

        private static final Walk.Limits LIMITS = new Walk.Limits(1_000, 100_000_000);

        private final Set<FileId> seen = new HashSet<>();
        private long bytes;
        private boolean complete = true;

        @Override
        public boolean enter(TreePath dir, Dir handle, FileStatus status) {
            bytes += status.allocatedBytes();
            boolean within = dir.depth() < LIMITS.depth();
            complete = complete && within;
            return within;
        }

        @Override
        public void file(TreePath path, Dir parent, FileStatus status) {
            FileId id = new FileId(status.deviceId(), status.inode());
            if (status.links() < 2 || seen.add(id)) {
                bytes += status.allocatedBytes();
            }
        }

        @Override
        public void unreadable(
                TreePath dir, Dir parent, FileStatus status, HostOperationException why) {
            bytes += status.allocatedBytes();
            complete = false;
        }
    }

    private record FileId(long device, long inode) {}
}
