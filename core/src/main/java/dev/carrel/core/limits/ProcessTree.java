package dev.carrel.core.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.posix.Statx;
import java.io.IOException;
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
 * the look is not counted; what lives and cannot be looked at is a {@link
 * dev.carrel.core.failure.HostOperationException}.
 *
 * @param pids all of them
 */
public record ProcessTree(List<Long> pids) {

    private static final long KIB = 1024;
    private static final int BLOCK = 512;

    /** Clock ticks of {@code /proc/PID/stat}: always 100 in a second on Linux for programs. */
    private static final long TICK_MILLIS = 10;

    private static final int FLAGS = 6; // field 9
    private static final long EXITING = 0x4; // PF_EXITING

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
        // What a process that ends meanwhile leaves is below the first one by then.
        for (String thread : ProcFiles.threads(pid)) {
            String list = ProcFiles.text(thread + "/children");
            if (!list.isBlank()) {
                for (String child : list.strip().split(" ", -1)) {
                    into.push(Long.parseLong(child));
                }
            }
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
            String status = status(pid);
            memory += resident(status);
            tasks += (int) field(status, "Threads:");
            ticks += ticks(ProcFiles.text("/proc/" + pid + "/stat"));
        }
        return new Use(memory, tasks, Duration.ofMillis(ticks * TICK_MILLIS));
    }

    private static long resident(String status) {
        return (field(status, "RssAnon:") + field(status, "RssShmem:") + field(status, "VmSwap:"))
                * KIB;
    }

    /**
     * Memory in bytes with what is shared counted once; slower. Of a process that lets nobody look,
     * all counts that it has.
     */
    long shareOfMemory() {
        long sum = 0;
        for (long pid : pids) {
            try {
                String rollup = ofLiving(pid, "smaps_rollup", "Pss:", ProcFiles::readable);
                sum += field(rollup, "Pss_Anon:") * KIB;
                sum += (field(rollup, "Pss_Shmem:") + field(rollup, "SwapPss:")) * KIB;
            } catch (ProcFiles.Denied denied) {
                sum += resident(status(pid));
            }
        }
        return sum;
    }

    private static String status(long pid) {
        return ofLiving(pid, "status", "RssAnon:", ProcFiles::text);
    }

    /** Reads a file. */
    private interface Reading<X extends Exception> {
        String text(String file) throws X;
    }

    /**
     * A file of a process that tells of its memory. The first thread of a process can end before
     * the others: then it has none, and they have all of it.
     */
    private static <X extends Exception> String ofLiving(
            long pid, String file, String field, Reading<X> reading) throws X {
        String text = reading.text("/proc/" + pid + "/" + file);
        if (text.contains(field)) {
            return text;
        }
        for (String thread : ProcFiles.threads(pid)) {
            String other = reading.text(thread + "/" + file);
            if (other.contains(field)) {
                return other;
            }
        }
        return text;
    }

    /**
     * Files that have no name any more.
     *
     * @param bytes on disk
     * @param complete whether that is all of them: a process can keep others from looking
     */
    record Deleted(long bytes, boolean complete) {}

    /** What its processes hold in files that have no name any more: each counts once. */
    Deleted deletedFiles() {
        Map<String, Long> files = new HashMap<>();
        boolean complete = true;
        for (long pid : pids) {
            try {
                deletedOf(pid, files);
            } catch (ProcFiles.Denied denied) {
                complete = false;
            }
        }
        return new Deleted(files.values().stream().mapToLong(Long::longValue).sum(), complete);
    }

    private static void deletedOf(long pid, Map<String, Long> files) throws ProcFiles.Denied {
        String process = "/proc/" + pid;
        // Where the first thread has ended, others may go on with the files.
        for (String each : hasEnded(process) ? ProcFiles.threads(pid) : List.of(process)) {
            try {
                deletedIn(each + "/fd", files);
            } catch (ProcFiles.Denied denied) {
                // The kernel shows files of what has ended as nobody's.
                if (!hasEnded(each)) {
                    throw denied;
                }
            }
        }
    }

    private static void deletedIn(String directory, Map<String, Long> files)
            throws ProcFiles.Denied {
        for (String descriptor : ProcFiles.names(directory)) {
            deleted(Path.of(directory, descriptor), files);
        }
    }

    /** Of a process or a thread. */
    private static boolean hasEnded(String directory) {
        String[] fields = afterName(ProcFiles.text(directory + "/stat"));
        return fields.length <= FLAGS
                || "ZXx".contains(fields[0])
                || (Long.parseLong(fields[FLAGS]) & EXITING) != 0;
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
            // It was closed; to read a link takes no descriptor.
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
        String[] fields = afterName(stat);
        long sum = 0;
        for (int field = 11; field <= 14 && field < fields.length; field++) {
            sum += Long.parseLong(fields[field]);
        }
        return sum;
    }

    /** From field 3 on: the name is in parentheses and may hold anything. */
    private static String[] afterName(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", -1);
    }
}
