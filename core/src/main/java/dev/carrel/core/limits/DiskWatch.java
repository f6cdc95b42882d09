package dev.carrel.core.limits;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Watches what directories take on disk while a command runs. To count them is slow, so the free
 * space of their file system is looked at in between: it has to shrink before they can have grown
 * much.
 */
public final class DiskWatch implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(50);

    /** Others may free space while the command fills it. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** Counting takes at most this part of the time. */
    private static final int SHARE = 10;

    /** A file system with less left suffers, whoever filled it. */
    private static final long FLOOR = 64L << 20;

    /** A command that starts above the limit may clean up, and write this much meanwhile. */
    private static final long MARGIN = 16L << 20;

    private final List<Path> directories;
    private final long limit;
    private final LongConsumer over;
    private final Thread thread;

    private DiskWatch(List<Path> directories, long limit, LongConsumer over) {
        this.directories = List.copyOf(directories);
        this.limit = limit;
        this.over = over;
        this.thread = Thread.ofPlatform().daemon().name("disk").unstarted(this::watch);
    }

    /**
     * Starts to watch.
     *
     * @param over called once with the bytes found, when they are too many
     */
    public static DiskWatch start(List<Path> directories, long limit, LongConsumer over) {
        DiskWatch watch = new DiskWatch(directories, limit, over);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            long used = used();
            long most = used > limit ? used + MARGIN : limit;
            while (used <= most) {
                used = next(most);
            }
            over.accept(used);
        } catch (InterruptedException e) {
            // The command has ended.
        }
    }

    /** Counts again, as soon as it can have become too much. */
    private long next(long most) throws InterruptedException {
        long began = System.nanoTime();
        long free = free();
        long now = used();
        Duration atLeast = Duration.ofNanos((System.nanoTime() - began) * SHARE);
        long end = System.nanoTime() + LONGEST.toNanos();
        Thread.sleep(atLeast.compareTo(LOOK) > 0 ? atLeast : LOOK);
        while (now <= most && System.nanoTime() < end) {
            long left = free();
            if (free - left > (most - now) / 2 || left < FLOOR) {
                break;
            }
            Thread.sleep(LOOK);
        }
        return now > most ? now : afterFloor(used(), now, most);
    }

    /** Where the disk is all but full, whatever was added was too much. */
    private long afterFloor(long now, long before, long most) {
        return free() < FLOOR && now > before + MARGIN ? Math.max(now, most + 1) : now;
    }

    private long used() {
        long sum = 0;
        for (Path directory : directories) {
            try {
                sum += Files.isDirectory(directory) ? Trees.diskUsage(directory) : 0;
            } catch (HostOperationException e) {
                // It changes while it is counted; the next count sees it.
            }
        }
        return sum;
    }

    private long free() {
        try {
            return Files.getFileStore(directories.getFirst()).getUnallocatedSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
