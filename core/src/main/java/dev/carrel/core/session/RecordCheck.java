package dev.carrel.core.session;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.repo.RepoName;
import dev.carrel.core.snapshot.Base;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether a record that was read is one that Carrel could have written there. A file of the state
 * directory that somebody changed must not make Carrel mount, write or delete anywhere else, or run
 * a sandbox as root.
 */
final class RecordCheck {

    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

    private final SessionRecord record;
    private final Path file;
    private final Path directory;

    private RecordCheck(SessionRecord record, Path file) {
        this.record = record;
        this.file = file;
        this.directory = file.toAbsolutePath().resolveSibling(".").normalize();
    }

    /**
     * The record itself.
     *
     * @throws BrokenStoreException with the member that cannot be right
     */
    static SessionRecord checked(SessionRecord record, Path file) {
        new RecordCheck(record, file).check();
        return record;
    }

    /**
     * Looks again at what depends on more than the text: whether its paths still lead into the
     * state directory.
     */
    static void checkPlaces(SessionRecord record, Path file) {
        new RecordCheck(record, file).checkPlaces();
    }

    private void check() {
        String here = String.valueOf(directory.getFileName());
        // One that is on its way out has another name already.
        require(here.startsWith(".") || here.equals(record.id().value()), "id", record.id());
        require(TOKEN.matcher(record.token()).matches(), "token", "no random number");
        require(isOurs(record.identity()), "identity", record.identity());
        require(!record.repos().isEmpty(), "repos", "there is none");
        Set<String> names = new HashSet<>();
        for (RepoRecord repo : record.repos()) {
            require(RepoName.isValid(repo.name()) && names.add(repo.name()), "name", repo.name());
            require(isPlain(repo.root()) || isWholeHost(repo), "root", repo.root());
            require(repo.kind() == RepoKind.SCRATCH == showsHost(), "kind", repo.kind());
            require(repo.generation() > 0, "generation", repo.generation());
            repo.hidden()
                    .forEach(hidden ->
                            require(isInside(Path.of(hidden.path())), "hidden", hidden.path()));
        }
        require(!showsHost() || record.repos().size() == 1, "repos", "there are several");
        checkPlaces();
        record.mounts().forEach(mount -> require(isPlain(mount.source()), "mounts", mount));
        record.tools().mounts().forEach(this::requireHarmless);
    }

    private boolean showsHost() {
        return record.policy().view() instanceof ViewMode.HostReadonly;
    }

    /** Started in the root directory, which only can be without a layer of the session's. */
    private boolean isWholeHost(RepoRecord repo) {
        return repo.root().equals(Path.of("/"))
                && record.policy().view()
                        instanceof ViewMode.HostReadonly(boolean scratch, _, _, _, _)
                && !scratch;
    }

    private void checkPlaces() {
        for (RepoRecord repo : record.repos()) {
            switch (repo.kind()) {
                case GIT, PLAIN ->
                        frozen(repo.base()).forEach(path -> require(isState(path), "base", path));
                case SCRATCH ->
                        frozen(repo.base())
                                .forEach(path -> require(path.equals(repo.root()), "base", path));
            }
        }
    }

    private static Stream<Path> frozen(Base base) {
        return Stream.concat(
                base.lowers().stream(),
                Stream.of(base.sharedSnapshot(), base.manifest(), base.index())
                        .flatMap(Optional::stream));
    }

    /** Not root's: whatever a record says, no sandbox runs as the host's user 0. */
    private static boolean isOurs(Identity identity) {
        int caller = dev.carrel.core.posix.Identity.effectiveUid();
        return identity.uid() > 0
                && identity.gid() >= 0
                && (caller == 0 ? identity.switched() : identity.uid() == caller);
    }

    private static boolean isPlain(Path path) {
        return path.isAbsolute() && path.normalize().equals(path) && path.getNameCount() > 0;
    }

    private static boolean isInside(Path path) {
        return !path.isAbsolute()
                && path.normalize().equals(path)
                && !path.startsWith("..")
                && !path.toString().isEmpty();
    }

    /** Below the snapshots, or in the session itself. */
    private boolean isState(Path path) {
        Path base = directory.resolve("../..").normalize();
        List<Path> places =
                List.of(
                        base.resolve("snapshots"),
                        base.resolve("sessions").resolve(record.id().value()));
        return isPlain(path)
                && (places.stream().anyMatch(place -> isBelow(path, place))
                        || places.stream().anyMatch(place -> leadsBelow(path, place)));
    }

    private static boolean isBelow(Path path, Path place) {
        return path.startsWith(place) && !path.equals(place);
    }

    /** The state directory may be named by a link at one time and not at another. */
    private static boolean leadsBelow(Path path, Path place) {
        try {
            return isBelow(path.toRealPath(), place.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }

    /** The host's tools are shown read-only, and never where a session has its own things. */
    private void requireHarmless(Mount mount) {
        boolean outside =
                Stream.of(SandboxPath.WORKSPACE, SandboxPath.CARREL, SandboxPath.HOME)
                        .noneMatch(own -> mount.target().path().startsWith(own.path()));
        require(outside, "tools", mount);
        if (mount instanceof Mount.ReadOnly(Path source, _)) {
            require(isPlain(source), "tools", mount);
        }
        if (mount instanceof Mount.Device(Path source, _)) {
            require(isPlain(source) && source.startsWith("/dev"), "tools", mount);
        }
    }

    private void require(boolean holds, String member, Object value) {
        if (!holds) {
            throw new BrokenStoreException(
                    file + " was not written by Carrel: its member '" + member + "' says " + value);
        }
    }
}
