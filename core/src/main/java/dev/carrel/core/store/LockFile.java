package dev.carrel.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.NotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The one open descriptor of a lock file in this JVM. The lock is a POSIX lock of the process:
 * closing <em>any</em> descriptor of the file drops it, while {@code FileLock.isValid()} goes on
 * answering true. So nothing else in this JVM may open the file, and this class does not close it
 * while anybody here holds or wants the lock.
 *
 * <p>A {@code RandomAccessFile}, because an interrupt closes a {@code FileChannel} in the middle of
 * a read or write, and with it the lock; tryLock alone is not interruptible.
 */
final class LockFile {

    private static final int MAX_HOLDER_TEXT = 4096;

    /** Excludes the threads of this JVM from each other; a POSIX lock does not. */
    final Semaphore turn = new Semaphore(1, true);

    /** How many threads hold or want it; guarded by the registry. */
    int users;

    private final Path path;
    private volatile @Nullable RandomAccessFile file;
    private @Nullable Object openedKey;
    private @Nullable FileLock lock;
    private volatile @Nullable LockHolder holder;

    LockFile(Path path) {
        this.path = path;
    }

    /** Only with the turn. False while another process has it. */
    boolean tryLock(LockHolder self) {
        try {
            while (true) {
                RandomAccessFile open = opened();
                lock = open.getChannel().tryLock();
                if (lock == null) {
                    return false;
                }
                if (openedKey != null && openedKey.equals(key().orElse(null))) {
                    break;
                }
                // Whoever had it removed the file; the lock of a file without a name is worthless.
                close();
            }
            holder = self;
            write(self.toJson());
            return true;
        } catch (IOException failed) {
            close();
            throw StoreFailure.of("lock", path, failed);
        }
    }

    private RandomAccessFile opened() throws IOException {
        RandomAccessFile open = file;
        if (open == null) {
            createIfMissing();
            openedKey = key().orElse(null);
            open = new RandomAccessFile(path.toFile(), "rw");
            file = open;
        }
        return open;
    }

    private void createIfMissing() throws IOException {
        try {
            Files.createFile(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException usual) {
            // Left by an earlier holder.
        } catch (NoSuchFileException noDirectory) {
            throw new NotFoundException(
                    "cannot lock " + path + ": its directory does not exist", null, noDirectory);
        }
    }

    private Optional<Object> key() throws IOException {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (NoSuchFileException removed) {
            return Optional.empty();
        }
    }

    /**
     * A failure is no reason to fail: the text is for messages only, a reader checks that its
     * process lives, and what frees a full disk needs locks, too.
     */
    private synchronized void write(String text) {
        RandomAccessFile open = file;
        try {
            if (open != null) {
                open.setLength(0);
                open.seek(0);
                open.write(text.getBytes(UTF_8));
            }
        } catch (IOException unimportant) {
            // See above.
        }
    }

    /** Only with the turn, and the lock. */
    void unlock() {
        holder = null;
        write("");
        FileLock held = lock;
        lock = null;
        release(held);
    }

    private void release(@Nullable FileLock held) {
        try {
            if (held != null) {
                held.release();
            }
        } catch (IOException failed) {
            close(); // drops the lock for certain
        }
    }

    /** Who has it: this JVM's holder, or what another process wrote. With or without the turn. */
    Optional<LockHolder> holder() {
        LockHolder here = holder;
        return here != null ? Optional.of(here) : LockHolder.parse(text());
    }

    private synchronized String text() {
        RandomAccessFile open = file;
        if (open == null) {
            return "";
        }
        try {
            byte[] text = new byte[(int) Math.min(open.length(), MAX_HOLDER_TEXT)];
            open.seek(0);
            open.readFully(text);
            return new String(text, UTF_8);
        } catch (IOException beingWritten) {
            return "";
        }
    }

    /** By the last user only. */
    void close() {
        RandomAccessFile open = file;
        file = null;
        lock = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException closedAnyway) {
            // The descriptor is gone in every case.
        }
    }
}
