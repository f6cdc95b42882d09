package dev.carrel.core.session;

import java.time.Duration;

/**
 * What ended a command. Only {@link Exited} and {@link Signalled} rest on what the sandbox reports,
 * which the command controls; the others are what Carrel or the kernel counted.
 */
public sealed interface Ending {

    /** It ended by itself. */
    record Exited(int status) implements Ending {}

    /**
     * A signal ended it, as its exit status of 128 + n says.
     *
     * @param signal its number
     */
    record Signalled(int signal) implements Ending {}

    /** {@link SessionCommand#cancel} ended it. */
    record Cancelled() implements Ending {}

    /**
     * Its time was over.
     *
     * @param limit what it had
     */
    record TimedOut(Duration limit) implements Ending {}

    /**
     * It failed after something of it had been killed for its memory.
     *
     * @param limit in bytes
     */
    record OutOfMemory(long limit) implements Ending {}

    /**
     * It failed after it had been refused a process or thread.
     *
     * @param limit how many it may have
     */
    record TooManyProcesses(int limit) implements Ending {}

    /**
     * It wrote more than it may, and was ended.
     *
     * @param limit in bytes
     */
    record TooMuchOutput(long limit) implements Ending {}

    /**
     * The session took more of the disk than it may, and the command was ended.
     *
     * @param limit in bytes
     * @param used what was found, in bytes
     */
    record DiskFull(long limit, long used) implements Ending {}

    /**
     * What it used could not be counted any more, and it was ended: nobody would have seen it go
     * beyond a limit.
     *
     * @param why what could not be read, and why
     */
    record Unwatched(String why) implements Ending {}

    /** A word for programs: {@code exited}, {@code out-of-memory}. */
    default String word() {
        return switch (this) {
            case Exited _ -> "exited";
            case Signalled _ -> "signalled";
            case Cancelled _ -> "cancelled";
            case TimedOut _ -> "timed-out";
            case OutOfMemory _ -> "out-of-memory";
            case TooManyProcesses _ -> "too-many-processes";
            case TooMuchOutput _ -> "output-limit";
            case DiskFull _ -> "disk-limit";
            case Unwatched _ -> "unwatched";
        };
    }
}
