package dev.carrel.core.host;

import dev.carrel.core.failure.UnsupportedHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who runs Carrel.
 *
 * @param uid effective user number
 * @param gid effective group number
 * @param userName the login name, or {@code uid-N} where the local user file has none
 * @param home the home directory: {@code HOME} where it is absolute, else that of the user file,
 *     else {@code /}
 * @param environment all variables
 */
public record Caller(
        int uid, int gid, String userName, Path home, Map<String, String> environment) {

    /** Where programs are looked up when the caller has no PATH. */
    static final String DEFAULT_PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    public Caller {
        environment = Map.copyOf(new LinkedHashMap<>(environment));
    }

    private static volatile @Nullable Caller ofThisProcess;

    /** The user and environment of this process, as they were when first asked for. */
    public static Caller current() {
        Caller caller = ofThisProcess;
        if (caller == null) {
            caller = current(new LiveFiles(), System.getenv());
            ofThisProcess = caller;
        }
        return caller;
    }

    /** The same user with other variables: a launcher changes those of its process. */
    public Caller with(Map<String, String> variables) {
        return new Caller(uid, gid, userName, home, variables);
    }

    static Caller current(HostFiles files, Map<String, String> environment) {
        List<String> status = files.lines(Path.of("/proc/self/status"));
        int uid = effective(status, "Uid:");
        int gid = effective(status, "Gid:");
        UserDatabase users = UserDatabase.load(files);
        Path home =
                Optional.ofNullable(environment.get("HOME"))
                        .filter(value -> value.startsWith("/"))
                        .map(Path::of)
                        .or(() -> users.home(uid))
                        .orElse(Path.of("/"));
        return new Caller(
                uid, gid, users.userName(uid).orElse("uid-" + uid), home.normalize(), environment);
    }

    private static int effective(List<String> status, String key) {
        for (String line : status) {
            String[] fields = line.split("\\s+", -1);
            if (fields.length >= 3 && fields[0].equals(key)) {
                return Integer.parseInt(fields[2]);
            }
        }
        throw new UnsupportedHostException(
                "/proc/self/status does not tell the user of this process ('" + key + "' missing)",
                "mount /proc: mount -t proc proc /proc");
    }

    /** Whether this is the host's root, under whom no sandbox may run. */
    public boolean isRoot() {
        return uid == 0;
    }

    /** The absolute directories of PATH in order; empty and relative ones are left out. */
    public List<Path> path() {
        List<Path> directories = new ArrayList<>();
        for (String entry : environment.getOrDefault("PATH", DEFAULT_PATH).split(":", -1)) {
            if (entry.startsWith("/") && entry.indexOf('\0') < 0) {
                directories.add(Path.of(entry).normalize());
            }
        }
        return directories.stream().distinct().toList();
    }
}
