package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where services of this machine listen, outside of {@code /run}, which is not shown at all: a
 * read-only mount does not keep anybody from connecting.
 */
record HostSockets(HostFiles files, Map<String, String> environment) {

    /** Of the lines of proc_net(5): after seven fields comes the path, if there is one. */
    private static final int PATH_FIELD = 7;

    private static final Path TMP = Path.of("/tmp");

    /** Directories of {@code /tmp} that hold nothing but sockets, and tickets. */
    private static final List<String> OF_TMP =
            List.of(
                    ".X11-unix",
                    ".ICE-unix",
                    ".XIM-unix",
                    ".font-unix",
                    ".Test-unix",
                    "ssh-",
                    "tmux-",
                    "gpg-",
                    "dbus-",
                    "keyring-",
                    "pulse-",
                    "orbit-",
                    "ksocket-",
                    "emacs",
                    "screens",
                    "uscreens",
                    "krb5cc",
                    ".xauth",
                    "xauth_",
                    "serverauth.");

    private static final List<Path> KNOWN =
            List.of(
                    Path.of("/var/lib/lxd/unix.socket"),
                    Path.of("/var/snap/lxd/common/lxd/unix.socket"),
                    Path.of("/var/lib/incus/unix.socket"),
                    Path.of("/var/lib/mysql/mysql.sock"),
                    Path.of("/var/lib/sss/pipes"),
                    Path.of("/var/spool/postfix/private"),
                    Path.of("/var/spool/postfix/public"));

    List<Path> all() {
        Set<Path> all = new LinkedHashSet<>(KNOWN);
        all.addAll(NamedPlaces.sockets(environment));
        for (String name : files.names(TMP)) {
            if (OF_TMP.stream().anyMatch(name::startsWith)) {
                all.add(TMP.resolve(name));
            }
        }
        all.addAll(bound());
        return List.copyOf(all);
    }

    /** What listens now, by the kernel's list. */
    private List<Path> bound() {
        List<Path> bound = new ArrayList<>();
        for (String line : files.lines(Path.of("/proc/net/unix"))) {
            String[] fields = line.strip().split("\\s+", PATH_FIELD + 1);
            if (fields.length > PATH_FIELD && fields[PATH_FIELD].startsWith("/")) {
                Optional.of(Path.of(fields[PATH_FIELD]).normalize())
                        .filter(this::isSocket)
                        .ifPresent(bound::add);
            }
        }
        return bound;
    }

    /** The path is that of the moment when it was bound; another file may be there by now. */
    private boolean isSocket(Path path) {
        return files.look(path).filter(entry -> entry.kind() == HostFiles.Kind.SPECIAL).isPresent();
    }
}
