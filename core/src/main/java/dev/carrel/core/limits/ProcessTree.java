package dev.carrel.core.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.posix.Statx;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A process and everything below it, as {@code proc(5)} shows them at one moment. What ends during
 * the look is not counted.
 *
 * @param pids all of them
 */
public record ProcessTree(List<Long> pids) {

    private static final long KIB = 1024;
    private static final int BLOCK = 512;

    /** Clock ticks of {@code /proc/PID/stat}: always 100 in a second on Linux for programs. */
    private static final long TICK_MILLIS = 10;

    public ProcessTree {
        pids = List.copyOf(pids);
    }

    /**
     * What it uses.
     *
     * @param memory in bytes, not shared with files; what several share may be counted for each
     * @param tasks processes and threads
     * @param cpu of the living, and of those of the dead that were waited for
     */
    record Use(long memory, int tasks, Duration cpu) {}

    /** Everything below the first process of a process namespace: there, orphans become its own. */
    public static ProcessTree below(long first) {
        List<Long> found = new ArrayList<>();
        Deque<Long> open = new ArrayDeque<>(List.of(first));
        while (!open.isEmpty()) {
            long pid = open.pop();
            found.add(pid);
            children(pid, open);
        }
        return new ProcessTree(found);
    }

    private static void children(long pid, Deque<Long> into) {
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                String list = text(thread.resolve("children").toString());
                if (!list.isBlank()) {
                    for (String child : list.strip().split(" ", -1)) {
                        into.push(Long.parseLong(child));
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            // It ended; what it left is below the first process by now.
        }
    }

    /**
     * Asks all but the first to end (SIGTERM): that one would not hear it. Only those that are in
     * its process namespace still: a number can be another process's by now.
     */
    public void terminate() {
        Optional<Path> namespace = namespace(pids.getFirst());
        pids.stream()
                .skip(1)
                .filter(pid -> namespace.isPresent() && namespace(pid).equals(namespace))
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroy);
    }

    private static Optional<Path> namespace(long pid) {
        try {
            return Optional.of(Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/pid")));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    Use use() {
        long memory = 0;
        int tasks = 0;
        long ticks = 0;
        for (long pid : pids) {
            String status = ofLiving(pid, "status", "RssAnon:");
            memory += (field(status, "RssAnon:") + field(status, "RssShmem:")) * KIB;
            memory += field(status, "VmSwap:") * KIB;
            tasks += (int) field(status, "Threads:");
            ticks += ticks(text("/proc/" + pid + "/stat"));
        }
        return new Use(memory, tasks, Duration.ofMillis(ticks * TICK_MILLIS));
    }

    /** Memory in bytes with what is shared counted once; slower. */
    long shareOfMemory() {
        long kib = 0;
        for (long pid : pids) {
            String rollup = ofLiving(pid, "smaps_rollup", "Pss:");
            kib += field(rollup, "Pss_Anon:") + field(rollup, "Pss_Shmem:");
            kib += field(rollup, "SwapPss:");
        }
        return kib * KIB;
    }

    /**
     * A file of a process that tells of its memory. The first thread of a process can end before
     * the others: then it has none, and they have all of it.
     */
    private static String ofLiving(long pid, String file, String field) {
        String text = text("/proc/" + pid + "/" + file);
        if (text.contains(field)) {
            return text;
        }
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                String other = text(thread.resolve(file).toString());
                if (other.contains(field)) {
                    return other;
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return text;
        }
        return text;
    }

    /**
     * What its processes hold in files that have no name any more, in bytes on disk: each counts
     * once.
     */
    long deletedFiles() {
        Map<String, Long> files = new HashMap<>();
        for (long pid : pids) {
            try (DirectoryStream<Path> open =
                    Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
                for (Path descriptor : open) {
                    deleted(descriptor, files);
                }
            } catch (IOException | DirectoryIteratorException gone) {
                // It ended, and its files with it.
            }
        }
        return files.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Files in memory do not count: they are no part of the disk. */
    private static void deleted(Path descriptor, Map<String, Long> into) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            boolean onDisk =
                    target.startsWith("/")
                            && !target.startsWith("/memfd:")
                            && !target.startsWith("/dev/");
            Statx status = new Statx();
            if (onDisk
                    && target.endsWith(" (deleted)")
                    && status.loadTarget(descriptor.toString().getBytes(ISO_8859_1)) == 0
                    && status.links() == 0) {
                into.put(status.device() + ":" + status.inode(), status.blocks() * BLOCK);
            }
        } catch (IOException gone) {
            // It was closed.
        }
    }

    private static long field(String text, String name) {
        int at = text.startsWith(name) ? 0 : text.indexOf("\n" + name) + 1;
        if (at == 0 && !text.startsWith(name)) {
            return 0;
        }
        int from = at + name.length();
        while (from < text.length() && Character.isWhitespace(text.charAt(from))) {
            from++;
        }
        int to = from;
        while (to < text.length() && Character.isDigit(text.charAt(to))) {
            to++;
        }
        return to == from ? 0 : Long.parseLong(text.substring(from, to));
    }

    /** utime, stime, cutime and cstime: fields 14 to 17. */
    private static long ticks(String stat) {
        // The name is in parentheses and may hold anything.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", -1);
        long sum = 0;
        for (int field = 11; field <= 14 && field < fields.length; field++) {
            sum += Long.parseLong(fields[field]);
        }
        return sum;
    }

    private static String text(String file) {
        try (InputStream in = new FileInputStream(file)) {
            return new String(in.readAllBytes(), ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
