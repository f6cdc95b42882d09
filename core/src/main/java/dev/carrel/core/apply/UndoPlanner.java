package dev.carrel.core.apply;

import dev.carrel.core.apply.HostTree.Found;
import dev.carrel.core.apply.Operations.Making;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.posix.Identity;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Decides for one repository how what an apply did is taken back. */
final class UndoPlanner {

    private static final int DIRECTORY_MODE = 0755;

    private final String repo;
    private final Path root;
    private final UndoStore store;
    private final List<ApplyConflict> conflicts = new ArrayList<>();
    private final List<Undoable> rest = new ArrayList<>();

    UndoPlanner(String repo, Path root, UndoStore store) {
        this.repo = repo;
        this.root = root;
        this.store = store;
    }

    /**
     * @param rest what cannot be taken back now
     */
    record Result(
            List<Planned> operations,
            List<ApplyConflict> conflicts,
            List<String> notices,
            List<Undoable> rest) {}

    Result plan(List<Undoable> undoables) {
        List<Undoable> sorted = new ArrayList<>(undoables);
        sorted.sort(Comparator.comparing(Undoable::path));
        try (HostTree host = new HostTree(root);
                Dir originals = store.originals()) {
            Operations operations = new Operations(host, _ -> DIRECTORY_MODE);
            for (Undoable undoable : sorted) {
                takeBack(undoable, host, originals, operations)
                        .ifPresent(reason -> refuse(undoable, reason, host));
            }
            OperationOrder.Result ordered = operations.arrange(repo);
            conflicts.addAll(ordered.conflicts());
            return new Result(ordered.operations(), conflicts, ordered.notices(), rest);
        }
    }

    private void refuse(Undoable undoable, String reason, HostTree host) {
        Optional<Entry> now =
                host.find(undoable.path()) instanceof Found.Here here
                        ? Optional.of(here.entry())
                        : Optional.empty();
        conflicts.add(
                ApplyConflict.of(repo, undoable.path(), reason)
                        .with(Optional.empty(), now, Optional.empty()));
        rest.add(undoable);
    }

    /** Answers why it cannot be. */
    private Optional<String> takeBack(
            Undoable undoable, HostTree host, Dir originals, Operations to) {
        TreePath path = undoable.path();
        Found found = host.find(path);
        if (found instanceof Found.Blocked(TreePath by, Entry what)) {
            if (what instanceof Entry.Link && !to.makes(by)) {
                return Optional.of("the host reaches it through the symbolic link '" + by + "'");
            }
            found = new Found.Missing();
        }
        if (!print(path, found, host).equals(undoable.after())) {
            return Optional.of("it changed on the host since it was applied");
        }
        Memory memory = new Memory.Exactly(undoable.known());
        return switch (undoable.before()) {
            case Undoable.Before.Nothing() -> {
                to.remove(path, found, memory);
                yield Optional.empty();
            }
            case Undoable.Before.Kept(int number) ->
                    restore(path, number, found, memory, originals, to);
            case Undoable.Before.Directory(int mode, Optional<Owner> owner) ->
                    to.create(
                            path,
                            new Entry.Directory(mode),
                            found,
                            new Making(
                                    Operation.Source.ORIGINAL,
                                    new Material.FromTree(),
                                    memory,
                                    owner));
            case Undoable.Before.Mode(int mode) -> {
                if (found instanceof Found.Here(Entry _, FileStatus status)) {
                    to.changeMode(path, status, mode, memory);
                }
                yield Optional.empty();
            }
        };
    }

    private static Optional<String> restore(
            TreePath path, int number, Found found, Memory memory, Dir originals, Operations to) {
        byte[] name = UndoStore.name(number);
        Optional<FileStatus> status = originals.stat(name);
        if (status.isEmpty()) {
            return Optional.of("what was there before is not kept any more");
        }
        Optional<Owner> owner =
                Identity.effectiveUid() == 0 ? status.map(Owner::of) : Optional.empty();
        return to.create(
                path,
                HostTree.entry(originals, name, status.get()),
                found,
                new Making(
                        Operation.Source.ORIGINAL, new Material.Original(number), memory, owner));
    }

    private static Fingerprint print(TreePath path, Found found, HostTree host) {
        if (!(found instanceof Found.Here(Entry _, FileStatus status))) {
            return Fingerprint.ABSENT;
        }
        Dir directory = host.directory(path.parent().orElseThrow()).orElseThrow();
        return Fingerprint.of(directory, path.name(), status);
    }
}
