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

    /** For a place that no upper can lie in, whatever is below it. */
    static Optional<UnsupportedHostException> ofPlace(
            Path upperParent, MountTable table, boolean hasUserAttributes) {
        String type = table.typeOf(upperParent);
        if (!type.equals("overlay") && hasUserAttributes) {
            return Optional.empty();
        }
        return Optional.of(
                new UnsupportedHostException(
                        refusedIn(upperParent)
                                + (type.equals("overlay")
                                        ? "it lies on an overlay itself (a container's root)"
                                        : "its file system (" + type + ") has no user attributes"),
                        "set CARREL_WORKSPACES to " + OWN_FILE_SYSTEM));
    }

    private static String refusedIn(Path upperParent) {
        return "an overlay cannot be mounted in '" + upperParent + "': ";
    }

    UnsupportedHostException explain(MountTable table, boolean hasUserAttributes) {
        String what = refusedIn(upperParent);
        String type = table.typeOf(upperParent);
        Optional<UnsupportedHostException> place = ofPlace(upperParent, table, hasUserAttributes);
        if (place.isPresent()) {
            return place.get();
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
