package dev.carrel.core.posix;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who this process is, from {@code /proc/self/status}: no native call, so that programs that only
 * want to know this start fast.
 */
public final class Identity {

    private static final int EFFECTIVE = 2; // "Uid:", real, effective, saved, file system
    private static final long MAY_ENTER_AND_SWITCH =
            1L << 21 | 1L << 7 | 1L << 6; // CAP_SYS_ADMIN, CAP_SETUID, CAP_SETGID

    private static volatile @Nullable Self self;

    private Identity() {}

    /** The user that permissions are checked for. */
    public static int effectiveUid() {
        return self().uid();
    }

    /** The group that new files get. */
    public static int effectiveGid() {
        return self().gid();
    }

    /**
     * Whether this process may enter namespaces that it does not own and give itself other groups:
     * root may, unless a container keeps those rights from it (capabilities(7)).
     */
    public static boolean mayEnterAndSwitch() {
        return (self().capabilities() & MAY_ENTER_AND_SWITCH) == MAY_ENTER_AND_SWITCH;
    }

    /** All as it is; nothing in this process changes it. */
    private record Self(int uid, int gid, long capabilities) {}

    private static Self self() {
        Self known = self;
        if (known == null) {
            known = read();
            self = known;
        }
        return known;
    }

    private static Self read() {
        Path status = Path.of("/proc/self/status");
        try {
            List<String> lines = Files.readAllLines(status);
            return new Self(
                    Integer.parseUnsignedInt(field(lines, "Uid:", EFFECTIVE)),
                    Integer.parseUnsignedInt(field(lines, "Gid:", EFFECTIVE)),
                    Long.parseUnsignedLong(field(lines, "CapEff:", 1), 16));
        } catch (IOException unreadable) {
            throw new HostOperationException(
                    "cannot read " + status + ": " + unreadable.getMessage(),
                    "mount /proc: mount -t proc proc /proc",
                    unreadable);
        }
    }

    private static String field(List<String> lines, String name, int position) throws IOException {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.split("\\s+", -1)[position])
                .findFirst()
                .orElseThrow(() -> new IOException("it has no line " + name));
    }
}
