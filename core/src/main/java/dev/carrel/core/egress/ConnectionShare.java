package dev.carrel.core.egress;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.DescriptorLimit;
import dev.carrel.core.posix.Errno;

/**
 * How many connections of sessions a process may have open at once, so that half of its descriptors
 * are left for everything else: whoever connects from a session must not blind those who watch it.
 * Safe for many threads.
 */
public final class ConnectionShare {

    /** Two descriptors for each connection, of half of all. */
    private static final int DESCRIPTORS_A_CONNECTION = 4;

    private final long most;
    private long taken;

    ConnectionShare(long most) {
        this.most = most;
    }

    /** What all sessions that this process serves have together. */
    public static ConnectionShare ofThisProcess() {
        return ThisProcess.SHARE;
    }

    private static final class ThisProcess {
        static final ConnectionShare SHARE = new ConnectionShare(most(DescriptorLimit.now()));
    }

    static long most(long descriptors) {
        if (descriptors < 0) {
            throw new HostOperationException(
                    "the limit of open files cannot be read: "
                            + Errno.describe((int) -descriptors));
        }
        return descriptors / DESCRIPTORS_A_CONNECTION;
    }

    /**
     * Takes a connection, if there is one for somebody who has so many already. Whoever floods gets
     * no more than is left to all others.
     *
     * @return whether it may be used; to be given back then
     */
    public synchronized boolean take(long had) {
        if (had >= most - taken) {
            return false;
        }
        taken++;
        return true;
    }

    /** Gives back one that was taken and is closed. */
    public synchronized void giveBack() {
        taken--;
    }
}
