package dev.carrel.core.snapshot;

import dev.carrel.core.failure.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Directories that are never taken as a repository: too big, too secret, or Carrel's own. */
record ForbiddenPlaces(Optional<Path> home, Path stateDirectory) {

    private static final Set<String> SYSTEM =
            Set.of(
                    "/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/proc",
                    "/root", "/run", "/sbin", "/sys", "/usr", "/var");
    private static final Set<String> KERNEL = Set.of("/dev", "/proc", "/sys");
    private static final Path HOMES = Path.of("/home");

    /** Refuses a plain directory that is one of them. */
    void refusePlain(Path root) {
        if (SYSTEM.contains(root.toString())
                || KERNEL.stream().anyMatch(k -> root.startsWith(Path.of(k)))) {
            throw refusal(root, "it belongs to the system");
        }
        if (HOMES.equals(root.getParent())
                || home.map(ForbiddenPlaces::real).filter(root::equals).isPresent()) {
            throw refusal(root, "it is a home directory");
        }
        refuseState(root);
    }

    /** Refuses any repository that has something to do with Carrel's own files. */
    void refuseState(Path root) {
        Path state = real(stateDirectory);
        if (root.startsWith(state)) {
            throw refusal(root, "it lies in Carrel's own directory " + state);
        }
        if (state.startsWith(root)) {
            throw refusal(root, "Carrel's own directory " + state + " lies in it");
        }
    }

    private static InvalidInputException refusal(Path root, String why) {
        return new InvalidInputException(
                "no session is made of " + root + ": " + why,
                "name a directory of your project: --repo DIR");
    }

    /** The real path, as far down as it exists. */
    static Path real(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        Path existing = nearestExisting(absolute);
        try {
            return existing.toRealPath().resolve(existing.relativize(absolute)).normalize();
        } catch (IOException e) {
            return absolute;
        }
    }

    /** The path itself or the closest parent that exists. */
    static Path nearestExisting(Path path) {
        Path at = path.toAbsolutePath();
        Path parent = at.getParent();
        while (parent != null && !Files.exists(at)) {
            at = parent;
            parent = at.getParent();
        }
        return at;
    }
}
