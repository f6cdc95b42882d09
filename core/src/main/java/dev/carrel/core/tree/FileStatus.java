package dev.carrel.core.tree;

import dev.carrel.core.posix.Statx;
import java.time.Instant;

/**
 * What the file system says about an entry itself, never about what a link points to.
 *
 * @param mode permissions, set-id and sticky bits: 07777
 * @param size in bytes
 * @param deviceId the file system; major number in the upper half, minor in the lower
 * @param mountId which mount shows it: differs below a mount point even on the same file system.
 *     Zero before Linux 5.8
 * @param rdev of a device file: major number in the upper half, minor in the lower
 * @param links how many names the file has
 * @param allocatedBytes what it takes on disk
 */
public record FileStatus(
        FileType type,
        int mode,
        long size,
        Instant modified,
        int uid,
        int gid,
        long inode,
        long deviceId,
        long mountId,
        long rdev,
        int links,
        long allocatedBytes) {

    private static final int MODE_BITS = 07777;
    private static final int EXECUTE_BITS = 0111;
    private static final int BLOCK = 512;

    static FileStatus of(Statx stat) {
        return new FileStatus(
                FileType.of(stat.mode()),
                stat.mode() & MODE_BITS,
                stat.size(),
                Instant.ofEpochSecond(stat.modifiedSeconds(), stat.modifiedNanos()),
                stat.uid(),
                stat.gid(),
                stat.inode(),
                stat.device(),
                stat.mountId(),
                stat.rdev(),
                stat.links(),
                stat.blocks() * BLOCK);
    }

    /** Whether overlayfs reads it as "deleted here": the character device 0:0. */
    public boolean isWhiteout() {
        return type == FileType.CHAR_DEVICE && rdev == 0;
    }

    /** Whether anyone may execute it. */
    public boolean isExecutable() {
        return (mode & EXECUTE_BITS) != 0;
    }

    /** Whether both are the same file, on the same mount. */
    public boolean isSameFile(FileStatus other) {
        return inode == other.inode && deviceId == other.deviceId && mountId == other.mountId;
    }
}
