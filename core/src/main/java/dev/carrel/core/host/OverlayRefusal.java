package dev.carrel.core.host;

import dev.carrel.core.failure.UnsupportedHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Why the kernel refused an overlay. It answers "invalid argument" to nearly everything, so the
 * cause is found by looking at what lies where.
 *
 * @param upperParent where the upper was to be, resolved
 * @param lowers what was to be below, resolved
 * @param said what was seen of the attempt
 */
record OverlayRefusal(Path upperParent, List<Path> lowers, String said) {

    private static final String OWN_FILE_SYSTEM =
            "a directory on ext4, xfs, btrfs or tmpfs, such as a volume of the container";

    UnsupportedHostException explain(MountTable table, boolean hasUserAttributes) {
        String what = "an overlay cannot be mounted in '" + upperParent + "': ";
        String type = table.typeOf(upperParent);
        if (type.equals("overlay") || !hasUserAttributes) {
            return new UnsupportedHostException(
                    what
                            + (type.equals("overlay")
                                    ? "it lies on an overlay itself (a container's root)"
                                    : "its file system (" + type + ") has no user attributes"),
                    "set CARREL_WORKSPACES to " + OWN_FILE_SYSTEM);
        }
        for (Path lower : lowers) {
            Optional<Path> inner = table.below(lower);
            if (inner.isPresent()) {
                return new UnsupportedHostException(
                        what + "'" + inner.get() + "' is mounted below '" + lower + "'",
                        "unmount it, or take a directory without mounts below it");
            }
            if (table.typeOf(lower).equals("overlay")) {
                return new UnsupportedHostException(
                        what + "'" + lower + "' lies on an overlay itself (a container's root)",
                        "keep it in " + OWN_FILE_SYSTEM);
            }
        }
        return new UnsupportedHostException(
                what + "'" + said + "' (file system " + type + ")",
                "see 'carrel doctor'; overlays in user namespaces need Linux 5.11 or newer");
    }
}
