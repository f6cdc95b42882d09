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

    /** Both as they are; nothing in this process changes them. */
    private record Self(int uid, int gid) {}

    private static Self self() {
        Self known = self;
        if (known == null) {
            known = new Self(field("Uid:"), field("Gid:"));
            self = known;
        }
        return known;
    }

    private static int field(String name) {
        Path status = Path.of("/proc/self/status");
        try {
            List<String> lines = Files.readAllLines(status);
            return lines.stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> Integer.parseUnsignedInt(line.split("\\s+", -1)[EFFECTIVE]))
                    .findFirst()
                    .orElseThrow(() -> new IOException("it has no line " + name));
        } catch (IOException unreadable) {
            throw new HostOperationException(
                    "cannot read " + status + ": " + unreadable.getMessage(),
                    "mount /proc: mount -t proc proc /proc",
                    unreadable);
        }
    }
}
