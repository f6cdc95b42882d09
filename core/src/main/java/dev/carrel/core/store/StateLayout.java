package dev.carrel.core.store;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.posix.Identity;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where Carrel keeps its state:
 *
 * <pre>
 * sessions/ID/      see {@link SessionLayout}
 * snapshots/REPO/REVISION/
 * </pre>
 *
 * An ordinary user's directories are for that user alone. Root's let others pass, but not look:
 * sandboxes of root run as an unprivileged user, to whom only the leaves belong.
 *
 * @param base absolute; need not exist
 */
public record StateLayout(Path base) {

    private static final Pattern SESSION_ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._+@=-]{0,199}");
    private static final int ROOT = 0;
    private static final String ELSEWHERE =
            "name a directory of your own that can be written: CARREL_WORKSPACES=DIR";

    public StateLayout {
        base = base.toAbsolutePath().normalize();
    }

    /**
     * Creates what is missing, and checks what is there.
     *
     * @throws InvalidInputException where the base is not the caller's own, others may write it, or
     *     (for root) the sandbox's user could not pass to it
     */
    public void create() {
        createParents();
        try {
            StateDirectory.create(baseOrTarget(), directoryMode());
        } catch (HostOperationException failed) {
            throw failed.remedy().isPresent()
                    ? failed
                    : new HostOperationException(failed.message(), ELSEWHERE, failed);
        }
        BaseCheck.require(base, Identity.effectiveUid());
        StateDirectory.create(sessions(), directoryMode());
        StateDirectory.create(snapshots(), directoryMode());
    }

    /**
     * The same checks without creating anything; nothing happens where the base is missing.
     *
     * @throws InvalidInputException as {@link #create}
     */
    public void check() {
        if (Files.exists(base, LinkOption.NOFOLLOW_LINKS)) {
            BaseCheck.require(base, Identity.effectiveUid());
        }
    }

    private void createParents() {
        Path parent = base.getParent();
        try {
            if (parent != null && !Files.isDirectory(parent)) {
                Files.createDirectories(parent);
            }
        } catch (IOException failed) {
            throw StoreFailure.of("create the directory", parent, ELSEWHERE, failed);
        }
    }

    /** A base that is a link to a directory is checked, not refused. */
    private Path baseOrTarget() {
        try {
            return Files.isSymbolicLink(base) ? base.toRealPath() : base;
        } catch (IOException dangling) {
            throw StoreFailure.of("follow the link", base, dangling);
        }
    }

    /** 0711 for root, 0700 for others. */
    static int directoryMode() {
        return Identity.effectiveUid() == ROOT ? StateDirectory.PASSAGE : StateDirectory.PRIVATE;
    }

    /**
     * Where the state is kept if nothing is said. Root keeps it under {@code /var/lib}: the
     * unprivileged user that its sandboxes run as has to reach it, and root's home directory is
     * closed to it.
     */
    public static Path defaultBase(Path home, int uid) {
        return uid == ROOT
                ? Path.of("/var/lib/carrel/workspaces")
                : home.resolve(".carrel/workspaces");
    }

    /** Holds a directory for each session. */
    public Path sessions() {
        return base.resolve("sessions");
    }

    /** Holds copies of programs that sandboxes of another user run. */
    public Path programs() {
        return base.resolve("programs");
    }

    /** Creates the directory of {@link #programs} where it is missing. */
    public void createPrograms() {
        StateDirectory.create(programs(), directoryMode());
    }

    /** Holds the frozen bases. */
    public Path snapshots() {
        return base.resolve("snapshots");
    }

    /** Holds a link for each name that a session was given. */
    public Path names() {
        return base.resolve("names");
    }

    /** Creates the directory of {@link #names} where it is missing. */
    public void createNames() {
        StateDirectory.create(names(), StateDirectory.PRIVATE);
    }

    /** Holds the HOMEs of agents that run as plain processes. */
    public Path agents() {
        return base.resolve("agents");
    }

    /** Creates a directory for one of them, for the caller alone. */
    public Path createAgent(String name) {
        StateDirectory.create(agents(), StateDirectory.PRIVATE);
        Path directory = agents().resolve(checkedName(name));
        StateDirectory.create(directory, StateDirectory.PRIVATE);
        StateDirectory.create(directory.resolve("home"), StateDirectory.PRIVATE);
        return directory;
    }

    /** Held while what is overdue is swept. */
    public Path sweepLock() {
        return base.resolve("sweep.lock");
    }

    /** Its time of modification tells when the last sweep began. */
    public Path lastSweep() {
        return base.resolve("last-sweep");
    }

    /** Held while a session gets its name or loses it. */
    public Path lock() {
        return base.resolve("lock");
    }

    /**
     * The places of a session, which need not exist.
     *
     * @throws InvalidInputException where the id is not lower-case letters, digits and dashes
     */
    public SessionLayout session(String id) {
        if (!SESSION_ID.matcher(id).matches()) {
            throw new InvalidInputException(
                    "'" + id + "' is not the id of a session", "carrel session list shows the ids");
        }
        return new SessionLayout(sessions().resolve(id));
    }

    /** The ids of all sessions on disk, whole or not, sorted. */
    public List<String> sessionIds() {
        List<String> ids = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(sessions())) {
            for (Path entry : entries) {
                String id = String.valueOf(entry.getFileName());
                if (SESSION_ID.matcher(id).matches()) {
                    ids.add(id);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        } catch (IOException failed) {
            throw StoreFailure.of("list", sessions(), failed);
        } catch (DirectoryIteratorException failed) {
            throw StoreFailure.of("list", sessions(), new IOException(failed));
        }
        Collections.sort(ids);
        return List.copyOf(ids);
    }

    /** The place of a snapshot, which need not exist. */
    public Path snapshot(String repo, String revision) {
        return snapshots().resolve(checkedName(repo)).resolve(checkedName(revision));
    }

    /** Creates the directory that holds the snapshots of a repository. */
    public Path createSnapshotsOf(String repo) {
        Path directory = snapshots().resolve(checkedName(repo));
        StateDirectory.create(directory, directoryMode());
        return directory;
    }

    static String checkedName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidInputException(
                    "'"
                            + name
                            + "' cannot be a name here: it starts with a letter, a digit or _, and"
                            + " goes on with these or . + @ = -");
        }
        return name;
    }
}
