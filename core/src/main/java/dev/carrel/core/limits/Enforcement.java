package dev.carrel.core.limits;

import dev.carrel.core.policy.Usage;
import dev.carrel.core.process.Command;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The limits of one command, ready before it starts. Closed when nothing of the command runs any
 * more.
 */
public interface Enforcement extends AutoCloseable {

    /** How they are held, for people: {@code cgroup v1}. */
    String mechanism();

    /**
     * Groups that the command's first process has to be in before it becomes the command. If it
     * cannot, the command must not start.
     */
    List<Command.Bounds.Group> toEnter();

    /** The most data that each of its processes may have, in bytes, where that is held so. */
    OptionalLong data();

    /**
     * The most processes and threads of its user namespace, where that is held so: to be set by a
     * process that is in that namespace already.
     */
    OptionalInt pids();

    /**
     * The command has started.
     *
     * @param child the process number of the first process inside, once it is known
     * @param end ends the command, for what the kernel does not end by itself
     */
    void started(Supplier<OptionalLong> child, Ends end);

    /** Ends the command. */
    interface Ends {

        /** It uses more memory than it may. */
        void outOfMemory();

        /** What it uses cannot be counted any more, and is limited. */
        void unwatched(String why);
    }

    /** What was counted so far; to be asked for after the end and before {@link #close}. */
    Usage usage();

    /** Leaves nothing behind; waits a moment for what the kernel is still taking down. */
    @Override
    void close();
}
