package dev.carrel.core.config;

import dev.carrel.core.config.ConfigFile.Role;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which files count. One of the user's: the named one, else that of the environment, else the
 * nearest above the repository, else that of the home directory; and of each repository its own.
 * Only names are looked at, nothing is read.
 */
final class ConfigSearch {

    private final ConfigRequest request;
    private final List<String> notices = new ArrayList<>();
    private final Set<ConfigFile> own = new LinkedHashSet<>();
    private Optional<ConfigFile> users = Optional.empty();

    private ConfigSearch(ConfigRequest request) {
        this.request = request;
    }

    /**
     * What was found.
     *
     * @param users the user's file
     * @param own files of repositories
     * @param notices what the user should know of the choice
     */
    record Found(Optional<ConfigFile> users, List<ConfigFile> own, List<String> notices) {
        Found {
            own = List.copyOf(own);
            notices = List.copyOf(notices);
        }
    }

    /** The first of the places is the repository above which the user's file may be. */
    static Found of(ConfigRequest request, List<RepoPlace> places) {
        return new ConfigSearch(request).search(places);
    }

    static Path usersDirectory(ConfigRequest request) {
        return request.base("XDG_CONFIG_HOME", ".config").resolve("carrel");
    }

    private Found search(List<RepoPlace> places) {
        users =
                request.named()
                        .or(request::fromEnvironment)
                        .map(path -> new ConfigFile(path, Role.NAMED));
        for (RepoPlace place : places) {
            climb(place, users.isEmpty() && place.equals(places.getFirst()));
        }
        if (users.isEmpty()) {
            users = in(usersDirectory(request), Role.USER);
        }
        users.ifPresent(file -> own.removeIf(each -> each.path().equals(file.path())));
        return new Found(users, List.copyOf(own), notices);
    }

    /**
     * From a directory to the root. Whatever lies in a git work tree is that repository's own, also
     * where the repository in question is nested in it: who wrote the outer one wrote its file.
     */
    private void climb(RepoPlace place, boolean wantsUsers) {
        boolean isOwn = true;
        boolean hasOwn = false;
        for (Path at = place.directory(); at != null; at = at.getParent()) {
            boolean inside = at.startsWith(place.root()) || isInWorkTree(at);
            if (inside && !isOwn) {
                hasOwn = false;
            }
            isOwn = inside;
            if (inside && !hasOwn) {
                Optional<ConfigFile> file = in(at, Role.REPOSITORY);
                file.ifPresent(own::add);
                hasOwn = file.isPresent();
            } else if (!inside && wantsUsers && users.isEmpty()) {
                users = in(at, Role.USER);
                users.ifPresent(file -> notices.add("settings of " + file.path()));
            }
        }
    }

    private static boolean isInWorkTree(Path directory) {
        for (Path at = directory; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
                return true;
            }
        }
        return false;
    }

    private Optional<ConfigFile> in(Path directory, Role role) {
        Path carrel = directory.resolve(ConfigFile.CARREL);
        Path codumentor = directory.resolve(ConfigFile.CODUMENTOR);
        boolean hasCarrel = Files.exists(carrel, LinkOption.NOFOLLOW_LINKS);
        boolean hasCodumentor = Files.exists(codumentor, LinkOption.NOFOLLOW_LINKS);
        if (hasCarrel && hasCodumentor) {
            notices.add(carrel + " is used; " + codumentor + " beside it is not");
        }
        if (hasCarrel || hasCodumentor) {
            return Optional.of(new ConfigFile(hasCarrel ? carrel : codumentor, role));
        }
        return Optional.empty();
    }
}
