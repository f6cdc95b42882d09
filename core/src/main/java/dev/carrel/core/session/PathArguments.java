package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.tree.TreePath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What people mean by a path of a session: a host path in one of its repositories, a path under
 * {@code /workspace}, or one relative to the repository (to {@code <name>/} where there are
 * several). Pure.
 */
final class PathArguments {

    private static final Path WORKSPACE = SandboxPath.WORKSPACE.path();
    private static final List<Path> OWN = List.of(SandboxPath.HOME.path(), Path.of("/tmp"));

    private final List<RepoRecord> repos;
    private final Optional<HostPaths> host;
    private final Path currentDirectory;

    PathArguments(List<RepoRecord> repos, Path currentDirectory) {
        this.repos = repos;
        this.host = HostPaths.of(repos);
        this.currentDirectory = currentDirectory;
    }

    /** A place in a repository. */
    record Place(RepoRecord repo, TreePath path) {}

    /**
     * The paths by repository name; a repository without an entry is not meant, unless there are no
     * paths at all.
     */
    Map<String, List<TreePath>> byRepo(List<String> paths) {
        Map<String, List<TreePath>> places = new LinkedHashMap<>();
        for (String text : paths) {
            Place place = place(text);
            places.computeIfAbsent(place.repo().name(), _ -> new ArrayList<>()).add(place.path());
        }
        return places;
    }

    Place place(String text) {
        Path path = Path.of(text);
        if (path.isAbsolute()) {
            Path normal = path.normalize();
            return inWorkspace(normal)
                    .or(() -> onHost(normal))
                    .orElseThrow(() ->
                            new NotFoundException(
                                    "'"
                                            + text
                                            + "' is in none of the session's repositories: "
                                            + roots()));
        }
        Optional<Place> here = onHost(currentDirectory.resolve(path).normalize());
        return here.orElseGet(() -> relative(path.normalize(), text));
    }

    private Place relative(Path path, String text) {
        if (path.startsWith("..")) {
            throw new InvalidInputException("'" + text + "' leads out of the repository");
        }
        if (repos.size() == 1) {
            return new Place(repos.getFirst(), tree(path));
        }
        for (RepoRecord repo : repos) {
            if (path.startsWith(repo.name())) {
                return new Place(repo, tree(Path.of(repo.name()).relativize(path)));
            }
        }
        throw new InvalidInputException(
                "'" + text + "' could be in any repository",
                "Begin it with the repository's name: "
                        + repos.stream().map(repo -> repo.name() + "/" + text).toList());
    }

    private Optional<Place> inWorkspace(Path path) {
        for (RepoRecord repo : repos) {
            Path root = repo.inside().path();
            if (path.startsWith(root)) {
                return Optional.of(new Place(repo, tree(root.relativize(path))));
            }
        }
        return Optional.empty();
    }

    private Optional<Place> onHost(Path path) {
        for (RepoRecord repo : repos) {
            if (path.startsWith(repo.root())) {
                return Optional.of(new Place(repo, tree(repo.root().relativize(path))));
            }
        }
        return Optional.empty();
    }

    private static TreePath tree(Path relative) {
        return relative.toString().isEmpty() ? TreePath.ROOT : TreePath.of(relative.toString());
    }

    private List<Path> roots() {
        return repos.stream().map(RepoRecord::root).toList();
    }

    /** Where a command starts: a place of a repository, or another directory of the session. */
    SandboxPath directory(String wanted) {
        Path normal = Path.of(wanted).normalize();
        if (normal.isAbsolute() && inWorkspace(normal).or(() -> onHost(normal)).isEmpty()) {
            if (host.isPresent()
                    || OWN.stream().anyMatch(normal::startsWith)
                    || normal.equals(WORKSPACE)) {
                return new SandboxPath(normal);
            }
            throw new NotFoundException(
                    "no command can start in "
                            + wanted
                            + ": it is in none of the session's repositories "
                            + roots(),
                    "Name a directory in one of them, or below /workspace, /tmp or /home/agent:"
                            + " --cwd DIR");
        }
        return inside(place(wanted));
    }

    /** Where the caller is, if one of the repositories has it. */
    Optional<SandboxPath> here() {
        return onHost(currentDirectory)
                .filter(_ -> host.isEmpty() || host.get().isSame(currentDirectory))
                .map(PathArguments::inside);
    }

    SandboxPath firstRoot() {
        return repos.getFirst().inside();
    }

    /** The place that a directory of the sandbox is; empty outside of the repositories. */
    Optional<Place> placeOf(SandboxPath directory) {
        return inWorkspace(directory.path());
    }

    private static SandboxPath inside(Place place) {
        return place.repo()
                .inside()
                .resolve(new String(place.path().bytes(), StandardCharsets.UTF_8));
    }
}
