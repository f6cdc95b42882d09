package dev.carrel.core.apply;

import dev.carrel.core.overlay.Entry;
import dev.carrel.core.posix.Identity;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Collects what is done at the places of one target, asked for in the order of their paths. */
final class Operations {

    private static final int OWNER_ALL = 0700;

    private final HostTree host;
    private final ToIntFunction<TreePath> directoryMode;
    private final List<Planned> removals = new ArrayList<>();
    private final List<Planned> creations = new ArrayList<>();
    private final List<Planned> modes = new ArrayList<>();
    private final Set<TreePath> made = new HashSet<>();
    private final Set<TreePath> mustGo = new HashSet<>();
    private final boolean root = Identity.effectiveUid() == 0;
    private long bytes;

    /**
     * @param directoryMode of a directory that the host has no more
     */
    Operations(HostTree host, ToIntFunction<TreePath> directoryMode) {
        this.host = host;
        this.directoryMode = directoryMode;
    }

    /**
     * How something is made.
     *
     * @param owner to whom it belongs; empty for whoever has what is there now, or the directory
     */
    record Making(
            Operation.Source source, Material material, Memory memory, Optional<Owner> owner) {

        static Making of(Operation.Source source, Material material, Memory memory) {
            return new Making(source, material, memory, Optional.empty());
        }
    }

    /** Whether a directory is made there. */
    boolean makes(TreePath path) {
        return made.contains(path);
    }

    /** What all files that are made need. */
    long bytes() {
        return bytes;
    }

    OperationOrder.Result arrange(String repo) {
        return new OperationOrder(repo, host, mustGo).arrange(removals, creations, modes);
    }

    void changeMode(TreePath path, FileStatus present, int to, Memory memory) {
        Operation change = new Operation.ChangeMode(path, Entry.permissions(present), to);
        modes.add(
                new Planned(
                        change,
                        Optional.of(present),
                        Optional.empty(),
                        new Material.FromTree(),
                        memory));
    }

    void remove(TreePath path, HostTree.Found found, Memory memory) {
        remove(path, found, memory, false);
    }

    private void remove(TreePath path, HostTree.Found found, Memory memory, boolean replaced) {
        Optional<FileStatus> present = present(found);
        Operation removal;
        if (found instanceof HostTree.Found.Here(Entry.Directory(int mode), FileStatus _)) {
            removal = new Operation.RemoveDirectory(path, mode);
            if (replaced) {
                mustGo.add(path);
            }
        } else {
            removal = new Operation.Remove(path);
        }
        removals.add(
                new Planned(
                        removal,
                        present,
                        root ? present.map(Owner::of) : Optional.empty(),
                        new Material.FromTree(),
                        memory));
    }

    /**
     * Puts an entry in place of what was found.
     *
     * @param entry with the permission bits that it gets
     * @return why it cannot be; empty where it can
     */
    Optional<String> create(TreePath path, Entry entry, HostTree.Found found, Making making) {
        Optional<String> obstacle = makeParents(path.parent().orElseThrow());
        if (obstacle.isPresent()) {
            return obstacle;
        }
        Optional<FileStatus> present = present(found);
        boolean wasDirectory =
                found instanceof HostTree.Found.Here(Entry.Directory _, FileStatus _);
        boolean inTheWay =
                present.isPresent() && (wasDirectory || entry instanceof Entry.Directory);
        if (inTheWay) {
            remove(path, found, making.memory(), true);
        }
        boolean replaces = present.isPresent() && !inTheWay;
        FileStatus ownerOf = present.orElseGet(() -> host.nearestDirectory(path));
        Operation creation =
                switch (entry) {
                    case Entry.RegularFile file ->
                            new Operation.Write(path, file.mode(), making.source(), replaces);
                    case Entry.Link(byte[] text) -> new Operation.Link(path, text, replaces);
                    case Entry.Directory(int mode) -> new Operation.MakeDirectory(path, mode);
                    case Entry.Special _ ->
                            throw new IllegalStateException("special files are never made");
                };
        bytes += entry instanceof Entry.RegularFile file ? file.size() : 0;
        if (entry instanceof Entry.Directory(int mode)) {
            made.add(path);
            restrict(path, mode, making.memory());
        }
        creations.add(
                new Planned(
                        creation,
                        replaces ? present : Optional.empty(),
                        root
                                ? making.owner().or(() -> Optional.of(Owner.of(ownerOf)))
                                : Optional.empty(),
                        making.material(),
                        making.memory()));
        return Optional.empty();
    }

    /** Made so that it can be filled, restricted at the end. */
    private void restrict(TreePath path, int mode, Memory memory) {
        if ((mode & OWNER_ALL) != OWNER_ALL) {
            modes.add(
                    new Planned(
                            new Operation.ChangeMode(path, mode | OWNER_ALL, mode),
                            Optional.empty(),
                            Optional.empty(),
                            new Material.FromTree(),
                            memory));
        }
    }

    /** The host may have removed a directory that the session still puts something into. */
    private Optional<String> makeParents(TreePath directory) {
        Deque<TreePath> missing = new ArrayDeque<>();
        TreePath place = directory;
        while (!made.contains(place) && host.directory(place).isEmpty()) {
            missing.push(place);
            place = place.parent().orElseThrow();
        }
        for (TreePath path : missing) {
            HostTree.Found found = host.find(path);
            if (found instanceof HostTree.Found.Here) {
                return Optional.of("the host has no directory '" + path + "' any more");
            }
            create(
                    path,
                    new Entry.Directory(directoryMode.applyAsInt(path)),
                    new HostTree.Found.Missing(),
                    Making.of(
                            Operation.Source.BASE,
                            new Material.FromTree(),
                            new Memory.Unchanged()));
        }
        return Optional.empty();
    }

    private static Optional<FileStatus> present(HostTree.Found found) {
        return found instanceof HostTree.Found.Here(Entry _, FileStatus status)
                ? Optional.of(status)
                : Optional.empty();
    }
}
