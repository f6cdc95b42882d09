package dev.carrel.core.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Entries;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.Listing;
import dev.carrel.core.posix.OpenFlags;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of processes in {@code proc(5)}. What has ended has nothing; what cannot be read although
 * it is there is a failure: whoever counts must not take it for nothing.
 */
final class ProcFiles {

    private static final int CHUNK = 8192;

    private ProcFiles() {}

    /** There, and closed to this user, as what a program may do to its own entry. */
    static final class Denied extends Exception {
        private static final long serialVersionUID = 1L;

        Denied(String file) {
            super(file);
        }
    }

    /**
     * What a file says; empty if its process has ended.
     *
     * @throws HostOperationException if it cannot be read
     */
    static String text(String file) {
        try {
            return readable(file);
        } catch (Denied denied) {
            throw failure(file, Errno.EACCES);
        }
    }

    /** The same, for files that are not everybody's. */
    static String readable(String file) throws Denied {
        int opened = open(file, OpenFlags.READ_ONLY);
        if (opened < 0) {
            return "";
        }
        try {
            ByteArrayOutputStream content = new ByteArrayOutputStream(CHUNK);
            byte[] piece = new byte[CHUNK];
            int count;
            while ((count = Descriptors.read(opened, piece, 0, CHUNK)) > 0) {
                content.write(piece, 0, count);
            }
            return living(file, count) ? content.toString(ISO_8859_1) : "";
        } finally {
            Descriptors.close(opened);
        }
    }

    /**
     * The names in a directory; none if its process has ended.
     *
     * @throws HostOperationException if it cannot be listed
     */
    static List<String> names(String directory) throws Denied {
        int opened = open(directory, OpenFlags.READ_ONLY | OpenFlags.DIRECTORY);
        if (opened < 0) {
            return List.of();
        }
        try {
            List<byte[]> names = new ArrayList<>();
            int failed = Listing.read(opened, names, Integer.MAX_VALUE);
            return living(directory, failed)
                    ? names.stream().map(name -> new String(name, ISO_8859_1)).toList()
                    : List.of();
        } finally {
            Descriptors.close(opened);
        }
    }

    /** The threads of a process. */
    static List<String> threads(long pid) {
        String directory = "/proc/" + pid + "/task";
        try {
            return names(directory).stream().map(name -> directory + "/" + name).toList();
        } catch (Denied denied) {
            throw failure(directory, Errno.EACCES);
        }
    }

    /** Negative if its process has ended. */
    private static int open(String file, int flags) throws Denied {
        int opened = Entries.open(Entries.WORKING_DIRECTORY, file.getBytes(ISO_8859_1), flags, 0);
        boolean _ = living(file, opened);
        return opened;
    }

    /** What the answer of a call says of the process; a failure if it says something else. */
    private static boolean living(String file, int answer) throws Denied {
        return switch (-answer) {
            case Errno.ENOENT, Errno.ESRCH -> false;
            case Errno.EACCES, Errno.EPERM -> throw new Denied(file);
            default -> {
                if (answer < 0) {
                    throw failure(file, -answer);
                }
                yield true;
            }
        };
    }

    private static HostOperationException failure(String file, int errno) {
        String message = "cannot read " + file + ": " + Errno.describe(errno);
        return errno == Errno.EMFILE
                ? new HostOperationException(message, "raise the limit: ulimit -n 65536")
                : new HostOperationException(message);
    }
}
