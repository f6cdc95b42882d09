package dev.carrel.core.process;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Work that goes on beside the caller's, on a thread of its own: mostly waiting for a process. For
 * one thread, which closes it; nothing of the work goes on afterwards.
 */
public final class Meanwhile<T> implements AutoCloseable {

    private final FutureTask<T> task;
    private final Thread thread;

    private Meanwhile(FutureTask<T> task) {
        this.task = task;
        this.thread = Thread.startVirtualThread(task);
    }

    /** Begins the work at once. */
    public static <T> Meanwhile<T> begin(Work<T> work) {
        return new Meanwhile<>(new FutureTask<>(work::run));
    }

    /** Waits for the end of the work; what it threw is thrown here. */
    public T get() throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error error -> throw error;
                case InterruptedException interrupt -> throw interrupt;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    /** Interrupts the work if it still goes on, and waits until it has heeded that. */
    @Override
    public void close() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is done. */
    @FunctionalInterface
    public interface Work<T> {
        /** Does it, and ends soon after an interrupt. */
        T run() throws InterruptedException;
    }
}
