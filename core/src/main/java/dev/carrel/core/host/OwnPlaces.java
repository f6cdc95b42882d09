package dev.carrel.core.host;

import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Places of the view that belong to the sandbox itself: nothing of the host appears there. */
final class OwnPlaces {

    private static final List<Path> PLACES =
            List.of(
                    SandboxPath.WORKSPACE.path(),
                    SandboxPath.HOME.path(),
                    SandboxPath.CARREL.path(),
                    Path.of("/run/carrel-git"),
                    Path.of("/tmp"),
                    Path.of("/dev"),
                    Path.of("/proc"),
                    Path.of("/sys"),
                    Path.of("/etc/passwd"),
                    Path.of("/etc/group"),
                    Path.of("/etc/hosts"),
                    Path.of("/etc/hostname"),
                    Path.of("/etc/resolv.conf"));

    private OwnPlaces() {}

    /** Why nothing can be shown at this place: it is the sandbox's own, or would cover such one. */
    static Optional<String> conflict(Path target) {
        return PLACES.stream()
                .filter(place -> target.startsWith(place) || place.startsWith(target))
                .findFirst()
                .map(place -> "the sandbox has its own '" + place + "'");
    }
}
