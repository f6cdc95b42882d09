package dev.carrel.core.host;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.ViewMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides what of the host a sandbox does not see in the mode that shows the host read-only, and
 * whether a session can be started in a directory. Looks at files, changes nothing.
 *
 * <p>What is hidden is looked for each time that a session starts to run: sockets come and go, and
 * so do files with secrets.
 */
public final class HostReadonlyView {

    private static final Path TMP = Path.of("/tmp");

    /** What the view has of its own; nothing of the host is hidden there, for nothing is shown. */
    private static final List<Path> OWN = List.of(Path.of("/run"), Path.of("/dev"));

    private final Caller caller;
    private final HostFiles files;
    private final Access access;
    private final ViewMode.HostReadonly mode;
    private final Path launch;
    private final Path state;

    /**
     * The view of one session.
     *
     * @param launch the directory that it was started in, without links
     * @param state where sessions are kept, which is always hidden
     */
    public HostReadonlyView(
            Caller caller,
            Identity identity,
            HostFiles files,
            ViewMode.HostReadonly mode,
            Path launch,
            Path state) {
        this(caller, files, Access.of(identity, files), mode, launch, state);
    }

    HostReadonlyView(
            Caller caller,
            HostFiles files,
            Access access,
            ViewMode.HostReadonly mode,
            Path launch,
            Path state) {
        this.caller = caller;
        this.files = files;
        this.access = access;
        this.mode = mode;
        this.launch = launch;
        this.state = state;
    }

    /**
     * Mounts besides that of the whole host.
     *
     * @param early in front of those of the session itself
     * @param late after all others
     */
    public record Hiding(List<Mount> early, List<Mount> late) {
        public Hiding {
            early = List.copyOf(early);
            late = List.copyOf(late);
        }
    }

    /** What is seen in the place of a hidden directory, or of anything else. */
    public record Nothing(Path directory, Path file) {}

    /**
     * What hides the rest.
     *
     * @param own what the session has below {@code /run}
     */
    public Hiding hiding(Nothing nothing, List<Mount> own) {
        HiddenPlaces hidden = new HiddenPlaces.Search(files, caller, access).run(mode, state);
        List<Mount> early = new ArrayList<>();
        new RuntimeDirectory(files, access).addTo(early, own);
        Set<Path> folders = shownByEntry(hidden);
        early.addAll(folders(folders, hidden));
        return new Hiding(early, covers(hidden, folders, nothing));
    }

    /**
     * The caller's directories of programs that sandboxes may use; one that they may not enter
     * would make a program that is not found look like one that may not be run.
     */
    public static List<Path> programs(Caller caller, Identity identity, HostFiles files) {
        Access access = Access.of(identity, files);
        return caller.path().stream().filter(access::enters).toList();
    }

    /** What of the settings does nothing, one sentence each. */
    public List<String> warnings() {
        return new HiddenPlaces.Search(files, caller, access).warnings(mode);
    }

    /** Directories that hold secrets among other things, those above first. */
    private Set<Path> shownByEntry(HiddenPlaces hidden) {
        Set<Path> folders =
                new TreeSet<>(
                        Comparator.comparingInt(Path::getNameCount)
                                .thenComparing(Comparator.naturalOrder()));
        for (Path folder : hidden.secretFolders()) {
            boolean isLaunch = mode.scratchOverlay() && folder.startsWith(launch);
            if (!isLaunch
                    && !hidden.covers(folder)
                    && inside(folder).isPresent()
                    && access.lists(folder)
                    && coverable(folder).equals(Optional.of(folder))
                    && new ShownFolder(files, folder, folder).isPossible()) {
                folders.add(folder);
            }
        }
        return folders;
    }

    private List<Mount> folders(Set<Path> folders, HiddenPlaces hidden) {
        List<Mount> mounts = new ArrayList<>();
        List<Mount> seals = new ArrayList<>();
        for (Path folder : folders) {
            Path at = inside(folder).orElseThrow();
            new ShownFolder(files, folder, at)
                    .addTo(mounts, hidden.names()::contains, folders::contains);
            seals.add(new Mount.Sealed(new SandboxPath(at)));
        }
        mounts.addAll(seals);
        return mounts;
    }

    /** Mounts over everything else that is hidden, wherever it can be seen. */
    private List<Mount> covers(HiddenPlaces hidden, Set<Path> folders, Nothing nothing) {
        Map<Path, Boolean> all = everywhere(hidden);
        List<Mount> covers = new ArrayList<>();
        all.forEach((place, directory) -> {
            boolean inAnother =
                    all.entrySet().stream()
                            .anyMatch(other ->
                                    other.getValue()
                                            && place.startsWith(other.getKey())
                                            && !place.equals(other.getKey()));
            if (!inAnother) {
                for (Path at : places(place, folders)) {
                    covers.add(
                            new Mount.ReadOnly(
                                    directory ? nothing.directory() : nothing.file(),
                                    new SandboxPath(at)));
                }
            }
        });
        return covers;
    }

    /** What is to be covered, and whether it is a directory. */
    private Map<Path, Boolean> everywhere(HiddenPlaces hidden) {
        MountTable mounts = MountTable.read(files);
        Map<Path, Boolean> all = new TreeMap<>();
        hidden.existing()
                .forEach((place, directory) -> {
                    List<Path> paths = new ArrayList<>(List.of(place));
                    paths.addAll(mounts.aliases(place));
                    paths.stream()
                            .filter(path -> files.look(path).isPresent())
                            .forEach(path ->
                                    coverable(path)
                                            .ifPresent(cover ->
                                                    all.put(
                                                            cover,
                                                            directory || !cover.equals(path))));
                });
        return all;
    }

    /**
     * The place itself, or what lies above it: bubblewrap opens each directory on its way to read
     * it. Empty where the sandbox could not go in any case.
     */
    private Optional<Path> coverable(Path place) {
        Path at = Path.of("/");
        for (Path name : place) {
            if (!access.enters(at)) {
                return Optional.empty();
            }
            if (!access.lists(at)) {
                return Optional.of(at);
            }
            at = at.resolve(name);
        }
        return Optional.of(place);
    }

    /** Where a place of the host is seen. */
    private List<Path> places(Path place, Set<Path> folders) {
        List<Path> places = new ArrayList<>();
        boolean inLaunch = place.startsWith(launch);
        if (inLaunch && launch.startsWith(TMP)) {
            places.add(place);
        }
        // What is not an entry of its folder needs no cover, but the overlay shows it again.
        boolean isLeftOut = folders.contains(place.resolveSibling(".").normalize());
        if (!isLeftOut || (inLaunch && mode.scratchOverlay())) {
            inside(place).ifPresent(places::add);
        }
        return places;
    }

    /** Where a path of the host is inside; empty where it is not seen. */
    private Optional<Path> inside(Path path) {
        if (OWN.stream().anyMatch(path::startsWith)) {
            return Optional.empty();
        }
        if (!path.startsWith(TMP)) {
            return Optional.of(path);
        }
        return mode.exposeHostTmp()
                ? Optional.of(
                        ViewMode.HostReadonly.HOST_TMP
                                .path()
                                .resolve(TMP.relativize(path))
                                .normalize())
                : Optional.empty();
    }

    /**
     * Refuses a directory in which no session can be started.
     *
     * @throws InvalidInputException if the directory, or a place to be hidden, is not possible
     * @throws UnsupportedHostException if it cannot be made writable, with what is in the way
     */
    public void requireLaunchable() {
        for (String text : mode.mask()) {
            Path place = Path.of(text.startsWith("~/") ? "/home" : text).normalize();
            if (List.of("/", "/proc", "/dev", "/run").contains(place.toString())
                    || place.startsWith("/proc")) {
                throw new InvalidInputException(
                        "host_readonly.mask: '" + text + "' cannot be hidden",
                        place.startsWith("/proc")
                                ? "host_readonly.unshare_pid=true hides the host's processes."
                                : "Take it out of host_readonly.mask.");
            }
        }
        if (OWN.stream().anyMatch(launch::startsWith)) {
            throw elsewhere("its own " + launch.subpath(0, 1) + " is not the host's");
        }
        boolean isReached = launch.startsWith(TMP) || coverable(launch).equals(Optional.of(launch));
        if (!isReached || !access.lists(launch)) {
            throw elsewhere("the user that it runs as may not list it, or a directory above it");
        }
        HiddenPlaces hidden = new HiddenPlaces.Search(files, caller, access).run(mode, state);
        if (hidden.covers(launch)) {
            throw elsewhere("it is hidden (host_readonly.unmask shows places that hold secrets)");
        }
        if (mode.scratchOverlay()) {
            unwritable()
                    .ifPresent(why -> {
                        throw new UnsupportedHostException(
                                "'" + launch + "' cannot be made writable for the session: " + why,
                                "Start it in another directory, or leave it read-only: --set"
                                        + " host_readonly.scratch_overlay=false");
                    });
        }
    }

    private InvalidInputException elsewhere(String why) {
        return new InvalidInputException(
                "no session can be started in '" + launch + "': " + why,
                "Start it in another directory.");
    }

    /** What overlayfs refuses, said before anything is made. */
    private Optional<String> unwritable() {
        Path real = files.resolve(state).orElse(state);
        if (real.startsWith(launch)) {
            return Optional.of("Carrel keeps its sessions in it, at '" + real + "'");
        }
        if (launch.equals(TMP)) {
            return Optional.of("/tmp is the session's own in any case");
        }
        if (List.of(Path.of("/proc"), Path.of("/sys")).stream().anyMatch(launch::startsWith)) {
            return Optional.of("the kernel makes its files");
        }
        return MountTable.read(files)
                .below(launch)
                .map(mount -> "'" + mount + "' is mounted in it");
    }
}
