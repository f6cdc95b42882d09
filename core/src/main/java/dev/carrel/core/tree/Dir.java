package dev.carrel.core.tree;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Entries;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.ExtendedAttributes;
import dev.carrel.core.posix.Listing;
import dev.carrel.core.posix.OpenFlags;
import dev.carrel.core.posix.Statx;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An open directory. Every name is one component, relative to it, and never followed where it is a
 * link: an operation acts on the entry itself or fails. Moving or replacing the directory's own
 * path changes nothing for an open one.
 *
 * <p>For one thread at a time. Failures are {@link HostOperationException}s that say what was tried
 * on which path and the kernel's reason; what was done before stays done. Invalid names are {@link
 * dev.carrel.core.failure.InvalidInputException}s.
 */
public final class Dir implements AutoCloseable {

    private static final String OPAQUE = "user.overlay.opaque";
    private static final int OPEN_DIRECTORY = OpenFlags.READ_ONLY | OpenFlags.DIRECTORY;
    private static final int OWNER_ALL = 0700;
    private static final byte[] SELF = {'.'};

    private final Place place;
    private int descriptor;

    private Dir(int descriptor, Place place) {
        this.descriptor = descriptor;
        this.place = place;
    }

    /** Opens a directory of the host; links in this path are followed. */
    public static Dir open(Path trustedHostPath) {
        Place place = Place.of(trustedHostPath.toString());
        int opened = openHostPath(trustedHostPath);
        if (opened < 0) {
            throw place.failure("open the directory", opened);
        }
        return new Dir(opened, place);
    }

    /** The same; empty where it is missing or not a directory. */
    public static Optional<Dir> openIfExists(Path trustedHostPath) {
        int opened = openHostPath(trustedHostPath);
        return opened == -Errno.ENOENT || opened == -Errno.ENOTDIR
                ? Optional.empty()
                : Optional.of(opened(opened, Place.of(trustedHostPath.toString())));
    }

    private static int openHostPath(Path path) {
        byte[] name = HostPaths.bytes(path.toAbsolutePath());
        return Entries.open(Entries.WORKING_DIRECTORY, name, OPEN_DIRECTORY, 0);
    }

    private static Dir opened(int descriptor, Place place) {
        if (descriptor < 0) {
            throw place.failure("open the directory", descriptor);
        }
        return new Dir(descriptor, place);
    }

    /** Opens a directory in this one; a link to a directory is not one. */
    public Dir openDir(byte[] name) {
        return opened(tryOpenDir(name), place.child(name));
    }

    /** The same; fails also where the names in it may be read but not used. */
    Dir openSearchable(byte[] name) {
        Dir dir = openDir(name);
        int result = new Statx().load(dir.descriptor(), SELF);
        if (result < 0) {
            dir.close();
            check(result, "look into", name);
        }
        return dir;
    }

    /** The same; empty where it is missing or not a directory. */
    public Optional<Dir> openDirIfExists(byte[] name) {
        int result = tryOpenDir(name);
        // With O_DIRECTORY, a link answers ENOTDIR or ELOOP, depending on the file system.
        return switch (-result) {
            case Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP -> Optional.empty();
            default -> Optional.of(opened(result, place.child(name)));
        };
    }

    private int tryOpenDir(byte[] name) {
        int flags = OPEN_DIRECTORY | OpenFlags.NO_FOLLOW;
        return Entries.open(descriptor(), Names.checked(name), flags, 0);
    }

    /**
     * Opens a directory below this one, component by component, following no link. Empty where a
     * component is missing or not a directory; the root gives a second handle on this directory.
     */
    public Optional<Dir> walk(TreePath path) {
        if (path.isRoot()) {
            return Optional.of(opened(Entries.open(descriptor(), SELF, OPEN_DIRECTORY, 0), place));
        }
        Optional<Dir> current = openDirIfExists(path.components().getFirst());
        for (byte[] name : path.components().subList(1, path.depth())) {
            if (current.isEmpty()) {
                return current;
            }
            try (Dir parent = current.get()) {
                current = parent.openDirIfExists(name);
            }
        }
        return current;
    }

    /** The names of all entries, sorted by unsigned bytes. */
    public List<byte[]> names() {
        List<byte[]> names = names(Integer.MAX_VALUE);
        names.sort(Arrays::compareUnsigned);
        return names;
    }

    /** Some names in no order, about {@code limit} where there are more. */
    List<byte[]> names(int limit) {
        List<byte[]> names = new ArrayList<>();
        int result = Listing.read(descriptor(), names, limit);
        if (result < 0) {
            throw place.failure("list", result);
        }
        return names;
    }

    /** The entry itself, not what a link points to; empty where it is missing. */
    public Optional<FileStatus> stat(byte[] name) {
        Statx stat = new Statx();
        int result = stat.load(descriptor(), Names.checked(name));
        if (result == -Errno.ENOENT) {
            return Optional.empty();
        }
        check(result, "look at", name);
        return Optional.of(FileStatus.of(stat));
    }

    /** This directory. */
    public FileStatus stat() {
        Statx stat = new Statx();
        int result = stat.load(descriptor());
        if (result < 0) {
            throw place.failure("look at", result);
        }
        return FileStatus.of(stat);
    }

    /** Reads a regular file, and fails for anything else without waiting for it. */
    public InputStream read(byte[] name) {
        Opened opened = openRegular(name);
        return new FileInput(opened.descriptor(), opened.size(), place.child(name));
    }

    /** A regular file. */
    private record Opened(int descriptor, long size) {}

    private Opened openRegular(byte[] name) {
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        int flags = OpenFlags.READ_ONLY | OpenFlags.NO_FOLLOW | OpenFlags.NON_BLOCKING;
        int opened = Entries.open(descriptor(), Names.checked(name), flags, 0);
        check(opened, "open", name);
        Statx stat = new Statx();
        int result = stat.load(opened);
        if (result < 0 || FileType.of(stat.mode()) != FileType.REGULAR) {
            Descriptors.close(opened);
            check(result, "look at", name);
            throw notRegular(name, FileType.of(stat.mode()));
        }
        return new Opened(opened, stat.size());
    }

    private HostOperationException notRegular(byte[] name, FileType type) {
        return new HostOperationException(
                "cannot read "
                        + place.child(name)
                        + ": it is "
                        + type.described()
                        + ", not a regular file");
    }

    /** Creates a regular file of exactly this mode; fails where the name exists. */
    public FileOutput create(byte[] name, int mode) {
        int flags =
                OpenFlags.WRITE_ONLY | OpenFlags.CREATE | OpenFlags.EXCLUSIVE | OpenFlags.NO_FOLLOW;
        int opened = Entries.open(descriptor(), Names.checked(name), flags, mode & OWNER_ALL);
        check(opened, "create", name);
        int result = Descriptors.chmod(opened, mode); // the umask may have taken bits away
        if (result < 0) {
            Descriptors.close(opened);
            check(result, "set the mode of", name);
        }
        return new FileOutput(opened, mode, place.child(name));
    }

    /** The target of a link, byte for byte. */
    public byte[] readLink(byte[] name) {
        byte[][] target = {{}};
        check(
                Entries.readLink(descriptor(), Names.checked(name), t -> target[0] = t),
                "read",
                name);
        return target[0];
    }

    /** Creates a link with this target. */
    public void symlink(byte[] target, byte[] name) {
        check(Entries.symlink(target, descriptor(), Names.checked(name)), "create the link", name);
    }

    /** Creates a directory of exactly this mode. */
    public void makeDir(byte[] name, int mode) {
        int made = Entries.makeDirectory(descriptor(), Names.checked(name), mode & OWNER_ALL);
        check(made, "create the directory", name);
        chmodDir(name, mode);
    }

    /** Removes an entry that is not a directory. */
    public void unlink(byte[] name) {
        check(Entries.unlink(descriptor(), Names.checked(name)), "remove", name);
    }

    /** Removes an empty directory. */
    public void removeDir(byte[] name) {
        int result = Entries.removeDirectory(descriptor(), Names.checked(name));
        check(result, "remove the directory", name);
    }

    /** Renames an entry, replacing what has the new name, in one step. */
    public void rename(byte[] name, Dir to, byte[] newName) {
        Names.checked(newName);
        int result = Entries.rename(descriptor(), Names.checked(name), to.descriptor(), newName);
        checkRename(result, name, to, newName);
    }

    /**
     * Renames an entry to a name that is free.
     *
     * @throws ConflictException where the new name exists; nothing was changed
     */
    public void renameExclusive(byte[] name, Dir to, byte[] newName) {
        if (!tryRenameExclusive(name, to, newName)) {
            throw taken(name, to, newName);
        }
    }

    private ConflictException taken(byte[] name, Dir to, byte[] newName) {
        return new ConflictException(
                "cannot rename "
                        + place.child(name)
                        + " to "
                        + to.place.child(newName)
                        + ": the name is taken");
    }

    /** The same; false where there is no such entry. */
    public boolean renameIfExists(byte[] name, Dir to, byte[] newName) {
        Names.checked(newName);
        int result =
                Entries.renameExclusive(
                        descriptor(), Names.checked(name), to.descriptor(), newName);
        if (result == -Errno.ENOENT) {
            return false;
        }
        if (result == -Errno.EEXIST) {
            throw taken(name, to, newName);
        }
        checkRename(result, name, to, newName);
        return true;
    }

    /** The same; false where the new name exists. */
    boolean tryRenameExclusive(byte[] name, Dir to, byte[] newName) {
        Names.checked(newName);
        int result =
                Entries.renameExclusive(
                        descriptor(), Names.checked(name), to.descriptor(), newName);
        if (result == -Errno.EEXIST) {
            return false;
        }
        checkRename(result, name, to, newName);
        return true;
    }

    /** Lets two entries, of whatever types, change places in one step. */
    public void exchange(byte[] name, Dir with, byte[] other) {
        Names.checked(other);
        int result = Entries.exchange(descriptor(), Names.checked(name), with.descriptor(), other);
        check(result, "exchange with " + with.place.child(other) + " the entry", name);
    }

    /** Gives a file, or a link itself, a second name that must be free. */
    public void link(byte[] name, Dir to, byte[] newName) {
        Names.checked(newName);
        int result = Entries.link(descriptor(), Names.checked(name), to.descriptor(), newName);
        check(result, "link to " + to.place.child(newName) + " the file", name);
    }

    /** Sets the mode of a regular file or directory; needs no permission on it but ownership. */
    public void chmod(byte[] name, int mode) {
        chmod(name, mode, 0);
    }

    /** The same for a directory only, whatever may take its place meanwhile. */
    void chmodDir(byte[] name, int mode) {
        chmod(name, mode, OpenFlags.DIRECTORY);
    }

    private void chmod(byte[] name, int mode, int extraFlags) {
        int flags = OpenFlags.PATH_ONLY | OpenFlags.NO_FOLLOW | extraFlags;
        int opened = Entries.open(descriptor(), Names.checked(name), flags, 0);
        check(opened, "set the mode of", name);
        try {
            Statx stat = new Statx();
            check(stat.load(opened), "look at", name);
            FileType type = FileType.of(stat.mode());
            if (type != FileType.REGULAR && type != FileType.DIRECTORY) {
                throw new HostOperationException(
                        "cannot set the mode of "
                                + place.child(name)
                                + ": it is "
                                + type.described());
            }
            check(Entries.chmodOpened(opened, mode), "set the mode of", name);
        } finally {
            Descriptors.close(opened);
        }
    }

    /** Gives the entry itself to a user and a group. The kernel drops set-id bits of files. */
    public void chown(byte[] name, int uid, int gid) {
        int result = Entries.chown(descriptor(), Names.checked(name), uid, gid);
        check(result, "give to user " + uid + " and group " + gid + " the entry", name);
    }

    /** Sets the time of modification of the entry itself. */
    public void setModified(byte[] name, Instant time) {
        int result =
                Entries.setModified(
                        descriptor(), Names.checked(name), time.getEpochSecond(), time.getNano());
        check(result, "set the time of", name);
    }

    /** Creates a FIFO. Its mode loses what the umask forbids. */
    public void makeFifo(byte[] name, int mode) {
        int result = Entries.makeFifo(descriptor(), Names.checked(name), mode);
        check(result, "create the FIFO", name);
    }

    /** Creates what overlayfs reads as "deleted here"; see {@link FileStatus#isWhiteout}. */
    public void makeWhiteout(byte[] name) {
        int result = Entries.makeWhiteout(descriptor(), Names.checked(name));
        check(result, "create the whiteout", name);
    }

    /** Whether this directory of an upper layer hides all that lower ones have in its place. */
    public boolean isOpaque() {
        byte[] value = new byte[2];
        int length = ExtendedAttributes.get(descriptor(), OPAQUE, value);
        return switch (-length) {
            case Errno.ENODATA, Errno.EOPNOTSUPP, Errno.ERANGE -> false;
            default -> {
                if (length < 0) {
                    throw place.failure("read the attribute " + OPAQUE + " of", length);
                }
                yield length == 1 && value[0] == 'y';
            }
        };
    }

    /** Makes it so. */
    public void setOpaque() {
        int result = ExtendedAttributes.set(descriptor(), OPAQUE, new byte[] {'y'});
        if (result < 0) {
            throw place.failure("set the attribute " + OPAQUE + " of", result);
        }
    }

    /** Lets what lower layers have show through again; nothing happens where it does. */
    public void clearOpaque() {
        int result = ExtendedAttributes.remove(descriptor(), OPAQUE);
        if (result < 0 && result != -Errno.ENODATA) {
            throw place.failure("remove the attribute " + OPAQUE + " of", result);
        }
    }

    /** Waits until the names in this directory are on disk. */
    public void sync() {
        int result = Descriptors.sync(descriptor());
        if (result < 0) {
            throw place.failure("sync", result);
        }
    }

    /** Waits until all that was written to this file system is on disk; cheaper than many syncs. */
    public void syncFileSystem() {
        int result = Descriptors.syncFileSystem(descriptor());
        if (result < 0) {
            throw place.failure("sync the file system of", result);
        }
    }

    /** Copies a regular file, see below, without waiting for the disk. */
    public void cloneOrCopyFrom(Dir from, byte[] name, byte[] newName, int mode) {
        cloneOrCopyFrom(from, name, newName, mode, Durability.EVENTUAL);
    }

    /**
     * Copies the content of a regular file into a new one of exactly this mode: by shared blocks
     * where the file system can, else with its holes kept. On failure the new file is removed.
     */
    public void cloneOrCopyFrom(
            Dir from, byte[] name, byte[] newName, int mode, Durability durability) {
        Opened source = from.openRegular(name);
        try {
            FileOutput target = create(newName, mode);
            boolean complete = false;
            try (target) {
                new FileCopy(source.descriptor(), source.size(), from.place.child(name), target)
                        .run();
                switch (durability) {
                    case SYNCED -> target.sync();
                    case EVENTUAL -> {}
                }
                complete = true;
            } finally {
                if (!complete) {
                    Entries.unlink(descriptor(), newName);
                }
            }
        } finally {
            Descriptors.close(source.descriptor());
        }
    }

    /** The text costs more than the call. */
    private void checkRename(long result, byte[] name, Dir to, byte[] newName) {
        if (result < 0) {
            check(result, "rename to " + to.place.child(newName) + " the entry", name);
        }
    }

    private void check(long result, String attempt, byte[] name) {
        if (result < 0) {
            throw place.child(name).failure(attempt, result);
        }
    }

    /**
     * A name of this directory by its descriptor, valid for this process while it is open: short,
     * for calls that take no long path.
     */
    public Path shortPath() {
        return Path.of("/proc/self/fd", Integer.toString(descriptor()));
    }

    private int descriptor() {
        if (descriptor < 0) {
            throw new IllegalStateException(place + " is closed already");
        }
        return descriptor;
    }

    @Override
    public void close() {
        int open = descriptor;
        descriptor = -1;
        if (open >= 0) {
            Descriptors.close(open);
        }
    }

    /** Where it was found, for people. */
    @Override
    public String toString() {
        return place.toString();
    }
}
