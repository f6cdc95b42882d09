package dev.carrel.core.host;

import dev.carrel.core.policy.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds the tool chains below the caller's home that PATH names: program directories only, at their
 * own place. Everything is judged by where its links end.
 */
final class HomeView {

    /** What tools are told of places that may be visible. */
    private static final List<String> PLACE_VARIABLES =
            List.of("JAVA_HOME", "GOROOT", "MAVEN_HOME", "M2_HOME", "GRADLE_HOME");

    private final HostFiles files;
    private final Caller caller;
    private final Identity identity;
    private final ViewBuilder view;

    /** The state directory and the repositories, resolved: nothing of them is shown. */
    private final List<Path> closed;

    private final Path home;
    private final List<Path> path = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Set<String> notices = new LinkedHashSet<>();

    HomeView(
            HostFiles files,
            Caller caller,
            Identity identity,
            List<Path> closed,
            ViewBuilder view) {
        this.files = files;
        this.caller = caller;
        this.identity = identity;
        this.view = view;
        this.closed = closed.stream().map(p -> files.resolve(p).orElse(p)).toList();
        this.home = files.resolve(caller.home()).orElse(caller.home());
    }

    void add() {
        caller.path().forEach(this::addToPath);
        for (String name : PLACE_VARIABLES) {
            place(name)
                    .ifPresent(value -> {
                        showToolchainOf(value.resolve("bin"));
                        if (view.paths().visible(value)) {
                            variables.put(name, value.toString());
                        }
                    });
        }
    }

    private void addToPath(Path directory) {
        Optional<Path> resolved = files.resolve(directory).filter(files::isDirectory);
        if (resolved.isEmpty()) {
            return;
        }
        if (!view.paths().visible(directory) && view.paths().covered(resolved.get())) {
            showAtOwnPlace(resolved.get(), directory);
        }
        if (!view.paths().visible(directory)) {
            showToolchainOf(directory);
        }
        if (view.paths().visible(directory)) {
            path.add(directory);
        } else if (view.paths().visible(resolved.get())) {
            path.add(resolved.get());
        }
    }

    /** A link outside that leads to something shown, such as a profile of a package manager. */
    private void showAtOwnPlace(Path resolved, Path directory) {
        if (OwnPlaces.conflict(directory).isEmpty()) {
            view.show(resolved, directory);
        }
    }

    private void showToolchainOf(Path directory) {
        Optional<Path> resolved = files.resolve(directory);
        if (resolved.isEmpty() || view.paths().visible(directory)) {
            return;
        }
        Optional<Path> relative = belowHome(resolved.get());
        if (relative.isEmpty()) {
            notices.add(
                    "'"
                            + directory
                            + "' is not shown: "
                            + (home.startsWith(resolved.get())
                                    ? "it would show your whole home directory"
                                    : "it lies outside /usr, /opt and your home"));
            return;
        }
        List<Toolchain> known = matching(directory, resolved.get());
        if (!known.isEmpty()) {
            known.forEach(this::showManager);
            return;
        }
        SdkShape.of(files, resolved.get())
                .orElse(List.of(resolved.get()))
                .forEach(part ->
                        showPart(part)
                                .ifPresent(
                                        why -> notices.add("'" + part + "' is not shown: " + why)));
    }

    private List<Toolchain> matching(Path directory, Path resolved) {
        return Toolchain.ALL.stream()
                .filter(tool -> {
                    Path place = root(tool).resolve(tool.trigger()).normalize();
                    Path real = files.resolve(place).orElse(place);
                    return directory.startsWith(place) || resolved.startsWith(real);
                })
                .toList();
    }

    private void showManager(Toolchain tool) {
        show(tool);
        for (String companion : tool.companions()) {
            Toolchain.ALL.stream().filter(t -> t.name().equals(companion)).forEach(this::show);
        }
    }

    private void show(Toolchain tool) {
        Path root = root(tool);
        boolean any = false;
        Set<String> objections = new LinkedHashSet<>();
        for (Path part : tool.shown()) {
            Path place = root.resolve(part).normalize();
            Optional<String> objection = showPart(place);
            objection.ifPresent(objections::add);
            any |= objection.isEmpty() && files.exists(place);
        }
        objections.forEach(why -> notices.add("'" + root + "' is not shown: " + why));
        if (any && tool.exported()) {
            tool.variable().ifPresent(name -> variables.put(name, root.toString()));
        }
    }

    private Path root(Toolchain tool) {
        return tool.variable()
                .flatMap(this::place)
                .filter(moved -> belowHome(moved).isPresent())
                .orElse(caller.home().resolve(tool.root()));
    }

    /** Shows what exists, or tells why not. */
    private Optional<String> showPart(Path place) {
        Optional<Path> resolved = files.resolve(place);
        if (resolved.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> objection = objection(resolved.get(), place);
        if (objection.isEmpty()) {
            view.show(resolved.get(), place);
        }
        return objection;
    }

    private Optional<String> objection(Path resolved, Path target) {
        Optional<Path> relative = belowHome(resolved);
        if (relative.isEmpty()) {
            return view.paths().covered(resolved)
                    ? Optional.empty()
                    : Optional.of("it leads out of your home, to '" + resolved + "'");
        }
        Optional<Path> secret = SecretPlaces.exposedBy(relative.get());
        if (secret.isPresent()) {
            return Optional.of("it would expose '~/" + secret.get() + "'");
        }
        if (closed.stream().anyMatch(c -> c.startsWith(resolved) || resolved.startsWith(c))) {
            return Optional.of("it belongs to a repository of the session or to Carrel's state");
        }
        if (files.look(resolved).filter(HostFiles.Entry::writableByOthers).isPresent()) {
            return Optional.of("everybody may write to it");
        }
        return OwnPlaces.conflict(target).or(() -> unreachable(resolved));
    }

    private Optional<String> unreachable(Path resolved) {
        return identity.switched()
                ? Reach.obstacle(
                        files, resolved, new Owner(identity.uid(), identity.gid()), Reach.READ)
                : Optional.empty();
    }

    /** The path relative to the home directory; empty for the home itself and what is outside. */
    private Optional<Path> belowHome(Path absolute) {
        return List.of(home, caller.home()).stream()
                .filter(base -> base.getNameCount() > 0)
                .filter(base -> absolute.startsWith(base) && !absolute.equals(base))
                .map(base -> base.relativize(absolute))
                .findFirst();
    }

    private Optional<Path> place(String variable) {
        return Optional.ofNullable(caller.environment().get(variable))
                .filter(value -> value.startsWith("/") && value.indexOf('\0') < 0)
                .map(value -> Path.of(value).normalize());
    }

    List<Path> path() {
        return path;
    }

    Map<String, String> variables() {
        return variables;
    }

    List<String> notices() {
        return List.copyOf(notices);
    }
}
