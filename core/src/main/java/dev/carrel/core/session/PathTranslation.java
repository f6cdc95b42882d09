package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.files.ViewPath;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Paths of the host as paths of a session's view, and back. */
final class PathTranslation {

    private final List<RepoRecord> repos;
    private final PathArguments arguments;

    PathTranslation(List<RepoRecord> repos, Path currentDirectory) {
        this.repos = repos;
        this.arguments = new PathArguments(repos, currentDirectory);
    }

    ViewPath toView(String text) {
        if (!text.startsWith("/")) {
            return place(arguments.place(text));
        }
        Path normal = Path.of(text).normalize();
        return inRepository(normal)
                .or(() -> inRepository(throughLinks(normal)))
                .orElseGet(() -> ViewPath.of(normal.toString()));
    }

    private Optional<ViewPath> inRepository(Path host) {
        for (RepoRecord repo : repos) {
            if (host.startsWith(repo.root())) {
                return Optional.of(root(repo).resolve(below(repo.root(), host)));
            }
        }
        return Optional.empty();
    }

    private static TreePath below(Path root, Path path) {
        return TreePath.of(root.relativize(path).toString());
    }

    /** A repository that is named by a link to it or to a directory above it. */
    private static Path throughLinks(Path path) {
        Path existing = path;
        while (existing != null) {
            try {
                return existing.toRealPath().resolve(existing.relativize(path)).normalize();
            } catch (IOException e) {
                existing = existing.getParent();
            }
        }
        return path;
    }

    private static ViewPath place(PathArguments.Place place) {
        return root(place.repo()).resolve(place.path());
    }

    private static ViewPath root(RepoRecord repo) {
        return ViewPath.of(repo.inside().toString());
    }

    private static String text(ViewPath path, int from) {
        byte[] bytes = path.bytes();
        String text = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
        if (text.getBytes(StandardCharsets.UTF_8).length != bytes.length - from) {
            throw new InvalidInputException(path + " is not valid UTF-8");
        }
        return text;
    }

    Optional<Path> toHost(ViewPath path) {
        for (RepoRecord repo : repos) {
            ViewPath root = root(repo);
            if (repo.kind() != RepoKind.SCRATCH && path.startsWith(root)) {
                return Optional.of(Path.of(repo.root() + text(path, root.bytes().length)));
            }
        }
        return HostPaths.of(repos).flatMap(host -> host.onHost(Path.of(text(path, 0))));
    }
}
