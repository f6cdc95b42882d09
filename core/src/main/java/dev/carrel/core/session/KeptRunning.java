package dev.carrel.core.session;

import dev.carrel.core.runtime.Joined;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session's mounts and network while it is open, so that the next command starts at once
 * instead of staging the view anew. Costs one waiting process. It does not keep anybody from
 * removing the session. Safe for many threads.
 */
public final class KeptRunning implements AutoCloseable {

    private final Consumer<KeptRunning> onClose;
    private final Start start;
    private @Nullable Joined share;
    private boolean closed;

    /** How a share is taken. */
    interface Start {
        Joined join() throws InterruptedException;
    }

    KeptRunning(Start start, Consumer<KeptRunning> onClose) throws InterruptedException {
        this.start = start;
        this.onClose = onClose;
        this.share = start.join();
    }

    /** Gives the share back for a while, for what needs the session stopped. */
    synchronized void release() {
        Joined held = share;
        share = null;
        if (held != null) {
            held.close();
        }
    }

    synchronized void takeAgain() throws InterruptedException {
        if (!closed && share == null) {
            share = start.join();
        }
    }

    /** Gives it back; with the last user gone, the session stops. Does nothing the second time. */
    @Override
    public synchronized void close() {
        closed = true;
        release();
        onClose.accept(this);
    }
}
