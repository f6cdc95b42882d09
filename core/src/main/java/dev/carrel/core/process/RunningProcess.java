package dev.carrel.core.process;

import java.io.InputStream;
import java.io.OutputStream;

/** A started command. */
public interface RunningProcess {

    /** Its process number on the host. */
    long pid();

    /** Where a {@link Command.Input.Piped} command reads from; close it to end the input. */
    OutputStream input();

    /** What a {@link Command.Output.Piped} command writes. */
    InputStream output();

    /** The messages of a {@link Command.Output.Piped} command. */
    InputStream error();

    /**
     * Waits for the process itself: others may still hold its outputs open, and what was captured
     * is not complete yet.
     */
    void awaitExit() throws InterruptedException;

    /** Waits for the end; captured output is complete then. */
    ProcessResult await() throws InterruptedException;

    /** Whether it still runs. */
    boolean isAlive();

    /** Whether it has opened the files that were handed over, so that their names may go. */
    default boolean hasItsFiles() {
        return false;
    }

    /** SIGKILL. Returns at once; does nothing once it has ended. */
    void kill();
}
