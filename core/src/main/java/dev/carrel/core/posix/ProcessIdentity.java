package dev.carrel.core.posix;

import dev.carrel.core.failure.HostOperationException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process of this machine's boot: the number alone is given to others again, number and start
 * time together are not.
 *
 * @param pid the process number in the pid namespace of the caller
 * @param startTime in clock ticks since boot, field 22 of {@code /proc/PID/stat}
 */
public record ProcessIdentity(long pid, long startTime) {

    private static final long EXITING = 0x4; // PF_EXITING in field 9

    private static volatile @Nullable ProcessIdentity self;

    /** This process. */
    public static ProcessIdentity current() {
        ProcessIdentity known = self;
        if (known == null) {
            known =
                    of(ProcessHandle.current().pid())
                            .orElseThrow(() ->
                                    new HostOperationException(
                                            "/proc does not show this process",
                                            "mount /proc: mount -t proc proc /proc"));
            self = known;
        }
        return known;
    }

    /** The process that has this number now, unless it is dying or dead. */
    public static Optional<ProcessIdentity> of(long pid) {
        return stat(pid).filter(Stat::alive).map(s -> new ProcessIdentity(pid, s.startTime()));
    }

    /**
     * Whether exactly this process runs. False for a zombie, and for one that the kernel is taking
     * down already (its files may be closed while it still has an entry).
     */
    public boolean isAlive() {
        return of(pid).equals(Optional.of(this));
    }

    /**
     * Whether the kernel is taking down the process of this number. The first process of a pid
     * namespace is in this state until all others of it are gone.
     */
    public static boolean isEnding(long pid) {
        return stat(pid).filter(Stat::ending).isPresent();
    }

    /** As a part of a file's name: who made it. */
    public String stamp() {
        return pid + "." + startTime;
    }

    /** The reverse of {@link #stamp}; empty for any other text. */
    public static Optional<ProcessIdentity> stamped(String text) {
        String[] parts = text.split("\\.", -1);
        try {
            return parts.length == 2
                    ? Optional.of(
                            new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Stat> stat(long pid) {
        try (InputStream file = new FileInputStream("/proc/" + pid + "/stat")) {
            // The name in it may be any bytes, so not UTF-8.
            return Stat.parse(new String(file.readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return Optional.empty(); // ENOENT, or ESRCH when it ends between open and read
        }
    }

    /** The fields of {@code /proc/PID/stat} that say whether it lives. */
    record Stat(char state, long flags, long startTime) {

        static Optional<Stat> parse(String line) {
            // The name is in parentheses and may hold spaces and parentheses itself.
            int nameEnd = line.lastIndexOf(')');
            if (nameEnd < 0) {
                return Optional.empty();
            }
            String[] fields = line.substring(nameEnd + 1).trim().split(" ", -1);
            if (fields.length < 20) {
                return Optional.empty();
            }
            // The first of these is field 3.
            return Optional.of(
                    new Stat(
                            fields[0].charAt(0),
                            Long.parseLong(fields[6]),
                            Long.parseLong(fields[19])));
        }

        boolean alive() {
            return !dead() && (flags & EXITING) == 0;
        }

        boolean ending() {
            return !dead() && (flags & EXITING) != 0;
        }

        private boolean dead() {
            return state == 'Z' || state == 'X' || state == 'x';
        }
    }
}
