package dev.carrel.core.host;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Adds what {@code sandbox.extra_read_only} asks for, or says why it cannot be shown. */
record ExtraPaths(HostFiles files, Identity identity, Path stateDirectory) {

    void addTo(ViewBuilder view, List<Path> paths) {
        List<String> problems = new ArrayList<>();
        for (Path path : paths) {
            Path given = path.normalize();
            Optional<String> problem = problem(given);
            problem.ifPresent(
                    why -> problems.add("sandbox.extra_read_only: '" + path + "': " + why));
            if (problem.isEmpty()) {
                files.resolve(given).ifPresent(resolved -> view.show(resolved, given));
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(
                    problems, "take it out of sandbox.extra_read_only, or name another path");
        }
    }

    private Optional<String> problem(Path given) {
        if (!given.isAbsolute()) {
            return Optional.of("it is not an absolute path");
        }
        Optional<Path> resolved = files.resolve(given);
        if (resolved.isEmpty()) {
            return Optional.of("it does not exist");
        }
        Path real = resolved.get();
        if (real.getNameCount() == 0) {
            return Optional.of("the whole host cannot be shown");
        }
        Path state = files.resolve(stateDirectory).orElse(stateDirectory);
        if (real.startsWith(state) || state.startsWith(real)) {
            return Optional.of("it would show Carrel's state directory '" + state + "'");
        }
        if (files.look(real).filter(e -> e.kind() == HostFiles.Kind.SPECIAL).isPresent()) {
            return Optional.of("it is a socket, FIFO or device");
        }
        return OwnPlaces.conflict(given)
                .or(() -> OwnPlaces.conflict(real).filter(why -> !real.startsWith("/tmp")))
                .or(() -> unreachable(real));
    }

    private Optional<String> unreachable(Path real) {
        return identity.switched()
                ? Reach.obstacle(files, real, new Owner(identity.uid(), identity.gid()), Reach.READ)
                : Optional.empty();
    }
}
