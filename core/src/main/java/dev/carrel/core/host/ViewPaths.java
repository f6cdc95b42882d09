package dev.carrel.core.host;

import dev.carrel.core.policy.Mount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What of the host's tree a list of mounts shows at its own place. */
record ViewPaths(HostFiles files, List<Mount> mounts) {

    /**
     * Whether a host path means the same inside: it exists, and every link on the way as well as
     * its end is shown.
     */
    boolean visible(Path path) {
        Optional<Path> placed = placedElsewhere(path);
        Optional<LinkWalk> walk = LinkWalk.of(files, placed.orElse(path));
        return walk.isPresent()
                && (placed.isPresent()
                        || (covered(walk.get().target())
                                && walk.get().links().stream().allMatch(this::covered)));
    }

    /** Whether a path without links lies in something that is shown. */
    boolean covered(Path path) {
        return mounts.stream()
                .anyMatch(mount ->
                        switch (mount) {
                            case Mount.ReadOnly shown -> contains(shown, path);
                            case Mount.Link link -> link.target().path().equals(path);
                            case Mount.Writable _,
                                    Mount.EmptyDirectory _,
                                    Mount.Tmpfs _,
                                    Mount.Device _,
                                    Mount.Sealed _,
                                    Mount.Overlay _ ->
                                    false;
                        });
    }

    private static boolean contains(Mount.ReadOnly shown, Path path) {
        return shown.source().equals(shown.target().path()) && path.startsWith(shown.source());
    }

    /** The host's path of something that is shown at another place than its own. */
    private Optional<Path> placedElsewhere(Path path) {
        return mounts.stream()
                .filter(Mount.ReadOnly.class::isInstance)
                .map(Mount.ReadOnly.class::cast)
                .filter(shown -> path.startsWith(shown.target().path()))
                .filter(shown -> !shown.source().equals(shown.target().path()))
                .map(shown -> shown.source().resolve(shown.target().path().relativize(path)))
                .findFirst();
    }
}
