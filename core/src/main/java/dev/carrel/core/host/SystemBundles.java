package dev.carrel.core.host;

import dev.carrel.core.policy.Mount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files in which programs look for the certificates of the authorities that a machine trusts.
 * Each distribution has its own.
 */
public final class SystemBundles {

    private static final List<Path> PLACES =
            Stream.of(
                            // Debian, Alpine, Gentoo, NixOS; a link on Arch
                            "/etc/ssl/certs/ca-certificates.crt",
                            // Fedora and its relatives
                            "/etc/pki/tls/certs/ca-bundle.crt",
                            "/etc/pki/tls/cert.pem",
                            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
                            // openSUSE
                            "/etc/ssl/ca-bundle.pem",
                            // Arch
                            "/etc/ca-certificates/extracted/tls-ca-bundle.pem",
                            // Alpine
                            "/etc/ssl/cert.pem")
                    .map(Path::of)
                    .toList();

    private final HostFiles files;

    /** Those of the host whose files these are. */
    public SystemBundles(HostFiles files) {
        this.files = files;
    }

    /** The first that the host has, links followed. */
    public Optional<Path> first() {
        return PLACES.stream().map(files::resolve).flatMap(Optional::stream).findFirst();
    }

    /** Where another file has to be put in a view so that every one of them is that file. */
    public List<Path> in(List<Mount> view) {
        return PLACES.stream()
                .map(place -> in(view, place))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    private Optional<Path> in(List<Mount> view, Path place) {
        ViewPaths paths = new ViewPaths(files, view);
        if (!paths.visible(place)) {
            return Optional.empty();
        }
        // What is shown at another place than the host's own is no link there.
        boolean placed =
                view.stream()
                        .anyMatch(mount -> mount.target().path().equals(place) && moved(mount));
        return placed ? Optional.of(place) : files.resolve(place).filter(paths::covered);
    }

    private static boolean moved(Mount mount) {
        return mount instanceof Mount.ReadOnly(Path source, var target)
                && !source.equals(target.path());
    }
}
