package dev.carrel.core.apply;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/**
 * Carries single tasks out and takes them back. Each looks first how far it has come, so that it
 * can be repeated after a kill at any point.
 */
final class Commit implements AutoCloseable {

    private final Staging staging;
    private TreePath openedPath = TreePath.ROOT;
    private Optional<Dir> opened = Optional.empty();

    Commit(Staging staging) {
        this.staging = staging;
    }

    /**
     * Carries a task out that nobody has begun.
     *
     * @throws ConflictException where the host is not as it was when the apply was planned
     */
    void begin(Task task) {
        Dir parent = parent(task);
        switch (task.operation()) {
            case Operation.Write(TreePath _, int _, Operation.Source _, boolean replaces) ->
                    begin(task, replaces, parent);
            case Operation.Link(TreePath _, byte[] _, boolean replaces) ->
                    begin(task, replaces, parent);
            case Operation.Remove _ -> moveAway(task, parent);
            case Operation.MakeDirectory _, Operation.ChangeMode _, Operation.RemoveDirectory _ ->
                    apply(task);
        }
    }

    private void begin(Task task, boolean replaces, Dir parent) {
        if (replaces) {
            moveAway(task, parent);
        }
        byte[] name = task.operation().path().name();
        staging.fresh().renameExclusive(Staging.name(task), parent, name);
    }

    /**
     * Carries a task out, or the rest of it.
     *
     * @throws ConflictException where the host is not as it was when the apply was planned
     */
    void apply(Task task) {
        byte[] number = Staging.name(task);
        if (task.isStaged() && staging.fresh().stat(number).isEmpty()) {
            return;
        }
        Dir parent = parent(task);
        byte[] name = task.operation().path().name();
        switch (task.operation()) {
            case Operation.Write write -> put(task, write.replaces(), parent);
            case Operation.Link link -> put(task, link.replaces(), parent);
            case Operation.MakeDirectory _ -> put(task, false, parent);
            case Operation.ChangeMode change -> changeMode(parent, name, change.to());
            case Operation.Remove _ -> {
                if (staging.old().stat(number).isEmpty()) {
                    moveAway(task, parent);
                }
            }
            case Operation.RemoveDirectory _ -> {
                if (parent.stat(name).isPresent()) {
                    parent.removeDir(name);
                }
            }
        }
    }

    Staging staging() {
        return staging;
    }

    private void put(Task task, boolean replaces, Dir parent) {
        byte[] number = Staging.name(task);
        if (replaces && staging.old().stat(number).isEmpty()) {
            moveAway(task, parent);
        }
        staging.fresh().renameExclusive(number, parent, task.operation().path().name());
    }

    private void moveAway(Task task, Dir parent) {
        byte[] number = Staging.name(task);
        byte[] name = task.operation().path().name();
        if (!parent.renameIfExists(name, staging.old(), number)) {
            throw changed(task);
        }
        // Looked at after it was moved: from now on nobody can exchange it.
        Optional<String> moved = staging.old().stat(number).map(Task::identity);
        if (!moved.equals(task.present())) {
            staging.old().renameExclusive(number, parent, name);
            throw changed(task);
        }
    }

    private static ConflictException changed(Task task) {
        return new ConflictException(
                "'" + task.operation().path() + "' changed on the host while it was applied",
                "apply again");
    }

    private static void changeMode(Dir parent, byte[] name, int to) {
        FileStatus now =
                parent.stat(name)
                        .orElseThrow(
                                () -> new ConflictException("an entry of " + parent + " vanished"));
        if (Entry.permissions(now) != to) {
            parent.chmod(name, to);
        }
    }

    /** Takes a task back, or what was done of it. */
    void undo(Task task) {
        Optional<Dir> found = staging.root().walk(task.operation().path().parent().orElseThrow());
        if (found.isEmpty()) {
            requireNothingToUndo(task);
            return;
        }
        try (Dir parent = found.get()) {
            byte[] name = task.operation().path().name();
            switch (task.operation()) {
                case Operation.Write _, Operation.Link _ -> {
                    takeAway(task, parent, name);
                    restore(task, parent, name);
                }
                case Operation.MakeDirectory _ -> {
                    boolean isOurs = staging.fresh().stat(Staging.name(task)).isEmpty();
                    if (isOurs && parent.stat(name).isPresent()) {
                        parent.removeDir(name);
                    }
                }
                case Operation.ChangeMode change -> {
                    boolean isOurs =
                            parent.stat(name)
                                    .filter(s -> Entry.permissions(s) == change.to())
                                    .isPresent();
                    if (isOurs) {
                        parent.chmod(name, change.from());
                    }
                }
                case Operation.Remove _ -> restore(task, parent, name);
                case Operation.RemoveDirectory remove -> {
                    if (parent.stat(name).isEmpty()) {
                        parent.makeDir(name, remove.mode());
                        task.owner().ifPresent(o -> parent.chown(name, o.uid(), o.gid()));
                    }
                }
            }
        }
    }

    /** Removes what the task put in place, if it did and that is still what is there. */
    private void takeAway(Task task, Dir parent, byte[] name) {
        boolean wasPut = staging.fresh().stat(Staging.name(task)).isEmpty();
        Optional<FileStatus> there = parent.stat(name);
        if (!wasPut || there.isEmpty()) {
            return;
        }
        if (!isOurs(task, parent, name, there.get())) {
            throw new ConflictException(
                    "'"
                            + task.operation().path()
                            + "' changed on the host while it was applied, and cannot be undone");
        }
        parent.rename(name, staging.fresh(), Staging.name(task));
    }

    private static boolean isOurs(Task task, Dir parent, byte[] name, FileStatus there) {
        return switch (task.operation()) {
            case Operation.Write _ ->
                    there.type() == FileType.REGULAR
                            && task.digest().equals(Optional.of(Fingerprint.digest(parent, name)));
            case Operation.Link link ->
                    there.type() == FileType.SYMLINK
                            && Fingerprint.of(parent, name, there)
                                    .equals(Fingerprint.link(link.target()));
            case Operation.MakeDirectory _,
                    Operation.ChangeMode _,
                    Operation.Remove _,
                    Operation.RemoveDirectory _ ->
                    false;
        };
    }

    private void restore(Task task, Dir parent, byte[] name) {
        if (staging.old().stat(Staging.name(task)).isPresent()) {
            staging.old().renameExclusive(Staging.name(task), parent, name);
        }
    }

    private void requireNothingToUndo(Task task) {
        boolean hasOld = staging.old().stat(Staging.name(task)).isPresent();
        if (hasOld) {
            throw new ConflictException(
                    "'" + task.operation().path() + "' cannot be restored: its directory has gone");
        }
    }

    /** Whether what is staged is what was measured: a power failure may have emptied it. */
    boolean isIntact(Task task) {
        byte[] number = Staging.name(task);
        Optional<FileStatus> staged = staging.fresh().stat(number);
        if (staged.isEmpty() || !(task.operation() instanceof Operation.Write)) {
            return true;
        }
        return staged.get().type() == FileType.REGULAR
                && task.digest().equals(Optional.of(Fingerprint.digest(staging.fresh(), number)));
    }

    /** Neighbours share it. A task on a directory itself comes between those in it. */
    private Dir parent(Task task) {
        TreePath parent = task.operation().path().parent().orElseThrow();
        if (opened.isEmpty() || !openedPath.equals(parent)) {
            close();
            opened = staging.root().walk(parent);
            openedPath = parent;
        }
        return opened.orElseThrow(() ->
                new ConflictException("'" + parent + "' is no directory of the host any more"));
    }

    @Override
    public void close() {
        opened.ifPresent(Dir::close);
        opened = Optional.empty();
    }
}
