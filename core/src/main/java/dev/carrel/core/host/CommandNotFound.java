package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Explains why a program that the host has is missing inside. */
public final class CommandNotFound {

    private CommandNotFound() {}

    /**
     * What to say after a command ended with status 127.
     *
     * @param program its first word
     * @param cure how the front end says that these paths have to be shown, such as {@code --set
     *     sandbox.extra_read_only=…}
     * @return empty if the host does not have the program either, or the view shows it
     */
    public static Optional<String> explain(
            String program, Caller caller, ToolchainView view, Function<List<Path>, String> cure) {
        return explain(new LiveFiles(), program, caller, view, cure);
    }

    static Optional<String> explain(
            HostFiles files,
            String program,
            Caller caller,
            ToolchainView view,
            Function<List<Path>, String> cure) {
        if (program.isEmpty() || program.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        ViewPaths visible = new ViewPaths(files, view.mounts());
        List<Path> found =
                program.contains("/")
                        ? List.of(Path.of(program)).stream().filter(Path::isAbsolute).toList()
                        : caller.path().stream().map(folder -> folder.resolve(program)).toList();
        List<Path> programs = found.stream().filter(file -> isProgram(files, file)).toList();
        if (programs.isEmpty() || programs.stream().anyMatch(visible::visible)) {
            return Optional.empty();
        }
        Path first = programs.getFirst();
        List<Path> needed = needed(files, first, visible);
        return Optional.of(
                "the host has '"
                        + program
                        + "' at "
                        + first
                        + ", which the sandbox does not show; "
                        + cure.apply(needed));
    }

    private static boolean isProgram(HostFiles files, Path file) {
        return files.follow(file)
                .filter(entry -> entry.kind() == HostFiles.Kind.FILE)
                .filter(entry -> (entry.mode() & 0111) != 0)
                .isPresent();
    }

    /** The folder of the program's name, and where its links lead, as far as they are not shown. */
    private static List<Path> needed(HostFiles files, Path program, ViewPaths visible) {
        Set<Path> folders = new LinkedHashSet<>();
        folders.add(program.getParent());
        LinkWalk.of(files, program)
                .ifPresent(walk -> {
                    walk.links().forEach(link -> folders.add(link.getParent()));
                    folders.add(walk.target().getParent());
                });
        return folders.stream().filter(folder -> !visible.visible(folder)).toList();
    }
}
