package dev.carrel.core.store;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.posix.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Locks between threads and processes: one lock is one file. A lock ends with its process, however
 * that ends, so there are no stale ones; the file stays. Not re-entrant.
 *
 * <p>Lock files must not be opened by anything else in this JVM (see {@code LockFile}); removing
 * one together with its directory, by its holder, is fine: others then find no directory.
 */
public final class Locks {

    private static final long FIRST_WAIT_MILLIS = 2;
    private static final long LONGEST_WAIT_MILLIS = 50;

    private static final Map<Path, LockFile> FILES = new HashMap<>();

    private Locks() {}

    /**
     * Waits for the lock.
     *
     * @param purpose what it is taken for, shown to others who wait: "apply"
     * @return to be closed, once, by any thread
     * @throws ConflictException after the time, naming the holder
     * @throws dev.carrel.core.failure.NotFoundException where the directory of the file is missing
     */
    public static Held acquire(Path file, String purpose, Duration timeout)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        LockFile lock = join(file);
        boolean acquired = false;
        try {
            acquired = waitFor(lock, purpose, deadline);
            if (!acquired) {
                throw busy(file, lock);
            }
            return new Held(lock, file);
        } finally {
            if (!acquired) {
                leave(lock);
            }
        }
    }

    /** Takes the lock if nobody has it. */
    public static Optional<Held> tryAcquire(Path file, String purpose) {
        LockFile lock = join(file);
        boolean acquired = false;
        try {
            if (lock.turn.tryAcquire()) {
                acquired = lockInTurn(lock, purpose);
            }
            return acquired ? Optional.of(new Held(lock, file)) : Optional.empty();
        } finally {
            if (!acquired) {
                leave(lock);
            }
        }
    }

    private static boolean waitFor(LockFile lock, String purpose, long deadline)
            throws InterruptedException {
        if (!lock.turn.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        boolean acquired = false;
        try {
            acquired = pollFor(lock, purpose, deadline);
            return acquired;
        } finally {
            if (!acquired) {
                lock.turn.release();
            }
        }
    }

    // Polling, because a thread that waits in the kernel for a POSIX lock cannot be given a time.
    private static boolean pollFor(LockFile lock, String purpose, long deadline)
            throws InterruptedException {
        LockHolder self = new LockHolder(ProcessIdentity.current(), purpose);
        long wait = FIRST_WAIT_MILLIS;
        while (!lock.tryLock(self)) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            Thread.sleep(Math.min(wait, left));
            wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS);
        }
        return true;
    }

    private static boolean lockInTurn(LockFile lock, String purpose) {
        boolean acquired = false;
        try {
            acquired = lock.tryLock(new LockHolder(ProcessIdentity.current(), purpose));
            return acquired;
        } finally {
            if (!acquired) {
                lock.turn.release();
            }
        }
    }

    private static ConflictException busy(Path file, LockFile lock) {
        Optional<LockHolder> holder = lock.holder().filter(h -> h.process().isAlive());
        String who = holder.map(LockHolder::toString).orElse("another process");
        String cure =
                holder.map(h -> "wait until it has ended, or end it: kill " + h.process().pid())
                        .orElse("try again");
        return new ConflictException(file + " is locked by " + who, cure);
    }

    private static LockFile join(Path file) {
        Path key = key(file);
        synchronized (FILES) {
            LockFile lock = FILES.computeIfAbsent(key, LockFile::new);
            lock.users++;
            return lock;
        }
    }

    private static void leave(LockFile lock) {
        synchronized (FILES) {
            lock.users--;
            if (lock.users == 0) {
                lock.close();
                FILES.values().remove(lock);
            }
        }
    }

    /** The same for all spellings of a path, else one file could be opened twice. */
    private static Path key(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Path directory = absolute.getParent();
        Path name = absolute.getFileName();
        if (directory == null || name == null) {
            throw new IllegalArgumentException("not a file: " + file);
        }
        try {
            return directory.toRealPath().resolve(name);
        } catch (IOException missing) {
            return absolute; // locking it says so
        }
    }

    /** A lock that is held. */
    public static final class Held implements AutoCloseable {

        private final LockFile lock;
        private final Path file;
        private boolean open = true;

        private Held(LockFile lock, Path file) {
            this.lock = lock;
            this.file = file;
        }

        /** The lock file. */
        public Path file() {
            return file;
        }

        /** Gives the lock up; a second time does nothing. */
        @Override
        public synchronized void close() {
            if (open) {
                open = false;
                lock.unlock();
                lock.turn.release();
                leave(lock);
            }
        }
    }
}
