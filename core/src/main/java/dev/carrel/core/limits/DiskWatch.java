package dev.carrel.core.limits;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Watches what directories take on disk while a command runs, with the files that it holds open
 * without a name. To count them is slow, so the free space of their file system is looked at in
 * between: it has to shrink before they can have grown much. Where something cannot be counted, the
 * space that was lost since the command began counts in its place.
 */
public final class DiskWatch implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(50);

    /** Between two counts, however the free space changes: others use the disk, too. */
    private static final Duration SHORTEST = Duration.ofMillis(250);

    /** Others may free space while the command fills it. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** A file system with less left suffers, whoever filled it. */
    private static final long FLOOR = 64L << 20;

    /** A command that starts above the limit may clean up, and write this much meanwhile. */
    private static final long MARGIN = 16L << 20;

    private final List<Path> directories;
    private final long limit;
    private final Supplier<OptionalLong> first;
    private final Over over;
    private final Thread thread;
    private long freeAtStart;
    private long usedAtStart;

    private DiskWatch(List<Path> directories, long limit, Supplier<OptionalLong> first, Over over) {
        this.directories = List.copyOf(directories);
        this.limit = limit;
        this.first = first;
        this.over = over;
        this.thread = Thread.ofPlatform().daemon().name("carrel-disk").unstarted(this::watch);
    }

    /** Ends the command. */
    public interface Over {

        /** The directories take so many bytes, which is too much. */
        void diskFull(long used);

        /** What they take cannot be counted any more. */
        void unwatched(String why);
    }

    /**
     * Starts to watch.
     *
     * @param first the process number of the command's first process, once it is known
     * @param over called at most once
     */
    public static DiskWatch start(
            List<Path> directories, long limit, Supplier<OptionalLong> first, Over over) {
        DiskWatch watch = new DiskWatch(directories, limit, first, over);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            freeAtStart = free();
            long used = used();
            usedAtStart = used;
            long most = used > limit ? used + MARGIN : limit;
            while (used <= most) {
                awaitChange(most - used);
                used = used();
                if (free() < FLOOR && used > usedAtStart + MARGIN) {
                    used = Math.max(used, most + 1);
                }
            }
            over.diskFull(used);
        } catch (RuntimeException | Error blind) {
            over.unwatched(Watchdog.why(blind));
        } catch (InterruptedException e) {
            // The command has ended.
        }
    }

    /** Returns as soon as what is left of the limit can have been used up by half. */
    private void awaitChange(long left) throws InterruptedException {
        long before = free();
        long begin = System.nanoTime();
        Duration waited = Duration.ZERO;
        while (waited.compareTo(LONGEST) < 0) {
            Thread.sleep(LOOK);
            waited = Duration.ofNanos(System.nanoTime() - begin);
            long now = free();
            boolean changed = before - now > left / 2 || now < FLOOR;
            if (changed && waited.compareTo(SHORTEST) >= 0) {
                return;
            }
        }
    }

    private long used() {
        requireSight();
        long sum = 0;
        boolean complete = true;
        for (Path directory : directories) {
            try {
                if (Files.isDirectory(directory)) {
                    Trees.DiskUse use = Trees.measure(directory);
                    sum += use.bytes();
                    complete = complete && use.complete();
                }
            } catch (HostOperationException e) {
                complete = false; // it changes while it is counted
            }
        }
        OptionalLong process = first.get();
        if (process.isPresent()) {
            ProcessTree.Deleted deleted = ProcessTree.below(process.getAsLong()).deletedFiles();
            sum += deleted.bytes();
            complete = complete && deleted.complete();
        }
        requireSight();
        return complete ? sum : Math.max(sum, usedAtStart + Math.max(0, freeAtStart - free()));
    }

    /** Without descriptors a tree looks like one that cannot be read, or like none. */
    private static void requireSight() {
        if (ProcFiles.text("/proc/self/stat").isEmpty()) {
            throw new HostOperationException("cannot read /proc/self/stat: it is missing");
        }
    }

    /** None, where it cannot be told: that ends in a count. Takes no descriptor. */
    private long free() {
        return directories.getFirst().toFile().getFreeSpace();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
