package dev.carrel.core.process;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.CoreDumps;
import dev.carrel.core.posix.Spawn;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The real runner. Every process is forked from an immortal platform thread: a parent-death signal
 * follows the thread that forked, and a virtual thread's carrier retires after a while. There are
 * two, since a fork is mostly waiting, and what is started at the same time should not queue.
 */
public final class HostProcessRunner implements ProcessRunner {

    /** A runner; all runners share the forking threads. */
    public HostProcessRunner() {}

    /**
     * From now on neither this process nor anything that it starts leaves core dumps. For programs;
     * a library leaves its process alone, and each command that has bounds costs a shell more.
     */
    public static void refuseCoreDumps() {
        CoreDumps.refuse();
    }

    /** For the whole process; daemons, so that they never hold the JVM. */
    private static final ExecutorService FORKER =
            Executors.newFixedThreadPool(
                    2, Thread.ofPlatform().daemon().name("carrel-fork-", 1).factory());

    /** One way to start a process, on the calling thread. */
    interface Way {
        RunningProcess start(Command command) throws IOException;
    }

    /** Decided when the first process starts, for it takes a native call. */
    private static final class Usual {
        static final Way WAY = Spawn.isPossible() ? SpawnedProcess::start : JdkProcess::start;
    }

    @Override
    public RunningProcess start(Command command) {
        return start(command, Usual.WAY);
    }

    static RunningProcess start(Command command, Way way) {
        try {
            // Not interruptible: the process starts in any case, and somebody must know it to end
            // it. An interrupt is noticed by whoever waits for the process.
            return CompletableFuture.supplyAsync(() -> startNow(command, way), FORKER).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HostOperationException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static RunningProcess startNow(Command command, Way way) {
        try {
            return way.start(command);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot start " + command.argv().getFirst() + ": " + e.getMessage(), null, e);
        }
    }
}
