package dev.carrel.core.host;

import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An empty {@code /run}, where services listen, with those of its files put back that people look
 * at: logs, who is logged in, where names are looked up, what devices there are.
 */
record RuntimeDirectory(HostFiles files, Access access) {

    private static final Path RUN = Path.of("/run");
    private static final long BYTES = 1L << 20;

    private static final List<String> READ =
            List.of(
                    "log",
                    "udev/data",
                    "utmp",
                    "motd",
                    "motd.d",
                    "motd.dynamic",
                    "reboot-required",
                    "reboot-required.pkgs",
                    "ostree-booted",
                    "mount/utab",
                    "blkid/blkid.tab",
                    "systemd/resolve/resolv.conf",
                    "systemd/resolve/stub-resolv.conf",
                    "resolvconf/resolv.conf",
                    "NetworkManager/resolv.conf",
                    "NetworkManager/no-stub-resolv.conf",
                    "current-system",
                    "booted-system",
                    "opengl-driver");

    /** In order; the last one makes it read-only. */
    void addTo(List<Mount> mounts, List<Mount> own) {
        mounts.add(new Mount.Tmpfs(new SandboxPath(RUN), BYTES, 0755));
        Set<Path> shown = new LinkedHashSet<>();
        READ.forEach(name -> shown.add(RUN.resolve(name)));
        files.resolve(Path.of("/etc/resolv.conf"))
                .filter(target -> target.startsWith(RUN))
                .ifPresent(shown::add);
        shown.forEach(path -> show(path).ifPresent(mounts::add));
        mounts.addAll(own);
        mounts.add(new Mount.Sealed(new SandboxPath(RUN)));
        Path old = Path.of("/var/run");
        if (files.look(old).filter(e -> e.kind() == HostFiles.Kind.DIRECTORY).isPresent()) {
            mounts.add(new Mount.Tmpfs(new SandboxPath(old), BYTES, 0755));
            mounts.add(new Mount.Sealed(new SandboxPath(old)));
        }
    }

    private Optional<Mount> show(Path path) {
        Path above = path.resolveSibling(".").normalize();
        return files.look(path)
                .filter(_ -> files.resolve(above).equals(Optional.of(above)))
                .filter(_ -> access.enters(above))
                .flatMap(found ->
                        switch (found.kind()) {
                            case FILE, DIRECTORY ->
                                    Optional.of(new Mount.ReadOnly(path, new SandboxPath(path)));
                            case LINK ->
                                    Optional.of(
                                            new Mount.Link(
                                                    found.linkText(), new SandboxPath(path)));
                            case SPECIAL -> Optional.<Mount>empty();
                        });
    }
}
