package dev.carrel.core.host;

import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A directory of the host shown entry by entry, without some. Not a mount over those: where the
 * host exchanges a file by renaming another one over it, as most programs save theirs, the kernel
 * takes away what other namespaces have mounted there, and the new file would be seen.
 *
 * @param at where it appears
 */
record ShownFolder(HostFiles files, Path folder, Path at) {

    /** More would take bubblewrap too long. */
    static final int MOST_ENTRIES = 400;

    /** For directories and links, which need next to nothing. */
    private static final long BYTES = 4L << 20;

    boolean isPossible() {
        List<String> names = files.names(folder);
        return !names.isEmpty() && names.size() <= MOST_ENTRIES;
    }

    /**
     * The mounts, in order. What is in {@code later} becomes a place that others are mounted at.
     */
    void addTo(List<Mount> mounts, Predicate<Path> hidden, Predicate<Path> later) {
        int mode = files.look(folder).map(entry -> entry.mode() & 0777).orElse(0755);
        mounts.add(new Mount.Tmpfs(new SandboxPath(at), BYTES, mode));
        for (String name : files.names(folder)) {
            Path entry = folder.resolve(name);
            if (!hidden.test(entry) && !later.test(entry)) {
                show(entry, at.resolve(name)).ifPresent(mounts::add);
            }
        }
    }

    private Optional<Mount> show(Path entry, Path target) {
        return files.look(entry)
                .flatMap(found ->
                        switch (found.kind()) {
                            case FILE, DIRECTORY ->
                                    Optional.of(new Mount.ReadOnly(entry, new SandboxPath(target)));
                            case LINK ->
                                    Optional.of(
                                            new Mount.Link(
                                                    found.linkText(), new SandboxPath(target)));
                            case SPECIAL -> Optional.<Mount>empty();
                        });
    }
}
