package dev.carrel.core.host;

import dev.carrel.core.policy.Mount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds programs of the host that certainly start inside: in a part of the view that is the host's
 * and read-only, executable for everybody, in machine code, with their loader. Of all others only a
 * try can tell.
 */
public final class ProgramSearch {

    private static final int BY_EVERYBODY = 0111;
    private static final int THROUGH_BY_EVERYBODY = 0001;

    private final HostFiles files;
    private final Function<Path, Optional<ElfProgram>> programs;
    private final List<Mount> view;

    /** In everything that a sandbox shows. */
    public ProgramSearch(List<Mount> view) {
        this(new LiveFiles(), ElfProgram::read, view);
    }

    ProgramSearch(
            HostFiles files, Function<Path, Optional<ElfProgram>> programs, List<Mount> view) {
        this.files = files;
        this.programs = programs;
        this.view = List.copyOf(view);
    }

    /**
     * The path under which a command's first word is found.
     *
     * @param searched the value of PATH inside
     * @return empty where that is not certain
     */
    public Optional<Path> find(String word, String searched) {
        if (word.isEmpty() || word.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        if (word.contains("/")) {
            return Optional.of(Path.of(word)).filter(this::starts);
        }
        for (String folder : searched.split(":", -1)) {
            Path candidate = Path.of(folder).resolve(word);
            if (starts(candidate)) {
                return Optional.of(candidate);
            }
            if (!isMissing(candidate)) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private boolean starts(Path program) {
        return program.isAbsolute()
                && end(program)
                        .filter(file ->
                                files.look(file)
                                        .filter(entry -> entry.kind() == HostFiles.Kind.FILE)
                                        .filter(entry ->
                                                (entry.mode() & BY_EVERYBODY) == BY_EVERYBODY)
                                        .isPresent())
                        .flatMap(programs)
                        .filter(elf ->
                                elf.loader().isEmpty()
                                        || elf.loader().flatMap(this::end).isPresent())
                        .isPresent();
    }

    /** Where a path ends, if all of its way is the same inside. */
    private Optional<Path> end(Path path) {
        return LinkWalk.of(files, path)
                .filter(walk -> isSame(walk.target()))
                .filter(walk -> walk.links().stream().allMatch(this::isSame))
                .map(LinkWalk::target);
    }

    /** Whether nothing is there inside because nothing is there on the host. */
    private boolean isMissing(Path path) {
        if (!path.isAbsolute() || LinkWalk.of(files, path).isPresent()) {
            return false;
        }
        Path above = path;
        while (LinkWalk.of(files, above).isEmpty()) {
            above = above.resolve("..").normalize();
        }
        return end(above).isPresent();
    }

    /** For a path whose folders are no links. */
    private boolean isSame(Path path) {
        List<Mount> above =
                view.stream().filter(mount -> path.startsWith(mount.target().path())).toList();
        return !above.isEmpty()
                && above.stream().allMatch(mount -> isHosts(mount, path))
                && isReachable(path);
    }

    private boolean isHosts(Mount mount, Path path) {
        return switch (mount) {
            case Mount.ReadOnly(Path source, var target) -> source.equals(target.path());
            case Mount.Link(String text, var target) ->
                    target.path().equals(path)
                            && files.look(path)
                                    .filter(entry -> entry.linkText().equals(text))
                                    .isPresent();
            case Mount.Writable _,
                    Mount.EmptyDirectory _,
                    Mount.Tmpfs _,
                    Mount.Device _,
                    Mount.Overlay _ ->
                    false;
            // It shows nothing of its own.
            case Mount.Sealed _ -> true;
        };
    }

    private boolean isReachable(Path path) {
        for (Path at = path.getParent(); at != null; at = at.getParent()) {
            if (files.look(at)
                    .filter(entry -> (entry.mode() & THROUGH_BY_EVERYBODY) != 0)
                    .isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
