package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.UnsupportedHostException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** File systems that are mounted inside a tree: a copy would not be one place any more. */
final class MountPoints {

    private static final int MOUNT_POINT_FIELD = 4;

    private MountPoints() {}

    static void refuseBelow(Path root) {
        Optional<String> mount = firstBelow(root, mountInfo());
        if (mount.isPresent()) {
            throw new UnsupportedHostException(
                    "something is mounted inside the repository: " + mount.get(),
                    "umount " + mount.get());
        }
    }

    /** By the lines of {@code /proc/self/mountinfo}; the root itself may be a mount point. */
    static Optional<String> firstBelow(Path root, List<String> lines) {
        String prefix = root.equals(root.getRoot()) ? "/" : root + "/";
        return lines.stream()
                .map(line -> unescaped(line.split(" ", -1)[MOUNT_POINT_FIELD]))
                .filter(point -> point.startsWith(prefix) && !point.equals(prefix))
                .findFirst();
    }

    /** The kernel writes space, tab, line end and backslash as three octal digits. */
    private static String unescaped(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }

    private static List<String> mountInfo() {
        try {
            byte[] content = Files.readAllBytes(Path.of("/proc/self/mountinfo"));
            return new String(content, StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new HostOperationException("cannot read /proc/self/mountinfo: " + e, null, e);
        }
    }
}
