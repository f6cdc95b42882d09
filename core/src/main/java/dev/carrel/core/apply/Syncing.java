package dev.carrel.core.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How what an apply wrote is brought to disk before its journal says that it is there. */
enum Syncing {
    /** File by file and directory by directory: what others write is not waited for. */
    EACH,
    /** The whole file system by one call, whoever wrote to it. */
    TOGETHER;

    /** Single calls for more files would take minutes. */
    private static final int MANY = 256;

    /** Disks of all kinds write about this much in the time that a call for one file takes. */
    private static final long BYTES_A_CALL = 1 << 20;

    private static final Pattern UNWRITTEN = Pattern.compile("(?:Dirty|Writeback): +(\\d+) kB");
    private static final long KILOBYTE = 1024;

    /** The cheaper way for so many files at the moment. */
    static Syncing of(int files) {
        return of(files, Syncing::unwritten);
    }

    /**
     * The same.
     *
     * @param unwritten the bytes that a call for all may have to wait for
     */
    static Syncing of(int files, LongSupplier unwritten) {
        return files > MANY || unwritten.getAsLong() <= files * BYTES_A_CALL ? TOGETHER : EACH;
    }

    /** Of all file systems, by proc_meminfo(5). */
    private static long unwritten() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.map(UNWRITTEN::matcher)
                    .filter(Matcher::matches)
                    .mapToLong(line -> Long.parseLong(line.group(1)) * KILOBYTE)
                    .sum();
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }
}
