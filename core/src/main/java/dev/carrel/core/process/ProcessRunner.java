package dev.carrel.core.process;

import java.time.Duration;

/** Starts host commands. Safe for many threads. */
public interface ProcessRunner {

    /** The most bytes kept of one captured stream. */
    int CAPTURE_LIMIT = 64 * 1024 * 1024;

    /**
     * Starts the command and returns at once.
     *
     * @throws dev.carrel.core.failure.HostOperationException if the program cannot be started;
     *     nothing is left behind
     */
    RunningProcess start(Command command);

    /**
     * Runs the command to its end. An interrupt kills it. A non-zero exit is a result, not a
     * failure.
     */
    default ProcessResult run(Command command) throws InterruptedException {
        RunningProcess process = start(command);
        try {
            return process.await();
        } catch (InterruptedException e) {
            process.kill();
            throw e;
        }
    }

    /** The same; what has not ended when the time is over is killed. */
    default ProcessResult run(Command command, Duration most) throws InterruptedException {
        RunningProcess process = start(command);
        Thread clock = Thread.ofPlatform().daemon().start(() -> killAfter(most, process));
        try {
            return process.await();
        } catch (InterruptedException e) {
            process.kill();
            throw e;
        } finally {
            clock.interrupt();
        }
    }

    private static void killAfter(Duration time, RunningProcess process) {
        try {
            Thread.sleep(time);
            process.kill();
        } catch (InterruptedException inTime) {
            // It has ended.
        }
    }
}
