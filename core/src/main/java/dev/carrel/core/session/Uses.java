package dev.carrel.core.session;

import dev.carrel.core.failure.NotFoundException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What this process has running of its sessions. Safe for many threads. */
final class Uses {

    private final Map<SessionId, Set<KeptRunning>> kept = new HashMap<>();
    private final Set<SessionCommand> commands = new HashSet<>();
    private boolean closed;

    synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the sessions were closed");
        }
    }

    /** Refuses what comes too late, so that nothing runs on after a close. */
    void add(SessionCommand command) {
        synchronized (this) {
            if (!closed) {
                commands.add(command);
                return;
            }
        }
        command.cancel();
        throw new IllegalStateException("the sessions were closed");
    }

    synchronized void remove(SessionCommand command) {
        commands.remove(command);
    }

    /** The same for a share: without it, the session would run on for nobody. */
    void add(SessionId id, KeptRunning share) {
        synchronized (this) {
            if (!closed) {
                kept.computeIfAbsent(id, _ -> new HashSet<>()).add(share);
                return;
            }
        }
        share.close();
        throw new IllegalStateException("the sessions were closed");
    }

    synchronized void remove(SessionId id, KeptRunning share) {
        kept.getOrDefault(id, new HashSet<>()).remove(share);
    }

    /** Whether this process keeps a session running. */
    synchronized boolean isKept(SessionId id) {
        return !kept.getOrDefault(id, Set.of()).isEmpty();
    }

    private synchronized List<KeptRunning> kept(SessionId id) {
        return List.copyOf(kept.getOrDefault(id, Set.of()));
    }

    /** What needs a session without users. */
    interface Work<T> {
        T run() throws InterruptedException;
    }

    /** Does something while this process does not keep the session running. */
    <T> T whileReleased(SessionId id, Work<T> work) throws InterruptedException {
        List<KeptRunning> shares = kept(id);
        shares.forEach(KeptRunning::release);
        try {
            return work.run();
        } finally {
            for (KeptRunning share : shares) {
                takeAgain(share);
            }
        }
    }

    private static void takeAgain(KeptRunning share) throws InterruptedException {
        try {
            share.takeAgain();
        } catch (NotFoundException e) {
            // The session is gone; there is nothing to keep.
        }
    }

    /** Ends every command and gives everything back. */
    void close() {
        List<SessionCommand> running;
        List<KeptRunning> shares = new ArrayList<>();
        synchronized (this) {
            closed = true;
            running = List.copyOf(commands);
            kept.values().forEach(shares::addAll);
        }
        running.forEach(SessionCommand::cancel);
        shares.forEach(KeptRunning::close);
    }
}
