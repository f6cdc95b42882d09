package dev.carrel.core.overlay;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.MergedDirectory.Found;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;

/**
 * Walks an upper layer beside its base. Only what the upper layer mentions is looked at, so that
 * the cost follows the changes, not the repository.
 *
 * <p>The sandbox may write at the same time: an entry that vanishes between two looks is left out,
 * as if the walk had come a moment later.
 */
final class ChangeWalk {

    /** A tree of as many levels as are entered needs more than threads usually have. */
    private static final long STACK_BYTES = 64L << 20;

    private final Limits limits;
    private final List<TreePath> paths;
    private final List<Change> changes = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private boolean complete = true;
    private long met;

    /** A walk to what is at, above or below these paths; none means everything. */
    ChangeWalk(List<TreePath> paths, Limits limits) {
        this.paths = List.copyOf(paths);
        this.limits = limits;
    }

    ChangeSet run(Path upperRoot, List<Path> lowers) {
        FutureTask<ChangeSet> walk = new FutureTask<>(() -> walk(upperRoot, lowers));
        Thread walker = new Thread(null, walk, "carrel-changes", STACK_BYTES);
        walker.setDaemon(true);
        walker.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return walk.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private ChangeSet walk(Path upperRoot, List<Path> lowers) {
        try (Dir upper = Dir.open(upperRoot);
                MergedDirectory base = MergedDirectory.open(lowers)) {
            directory(TreePath.ROOT, upper, base, false);
        } catch (TooMany stop) {
            cut("stopped after " + limits.entries() + " entries; what follows is not shown");
        }
        changes.sort(Comparator.comparing(Change::path));
        return new ChangeSet(changes, notices, complete);
    }

    /**
     * @param hidden whether nothing of the base shows through here: some directory above is opaque
     */
    private void directory(TreePath path, Dir upper, MergedDirectory base, boolean hidden) {
        boolean opaque = hidden || upper.isOpaque();
        TreeSet<byte[]> inUpper = new TreeSet<>(Arrays::compareUnsigned);
        for (byte[] name : upper.names()) {
            inUpper.add(name);
            TreePath child = path.child(name);
            noteNestedGit(child, name);
            if (isWanted(child, name)) {
                guarded(child, upper, () -> entry(child, upper, base, opaque));
            }
        }
        if (!opaque) {
            return;
        }
        for (byte[] name : base.names()) {
            TreePath child = path.child(name);
            if (!inUpper.contains(name) && isWanted(child, name)) {
                deleted(child, base);
            }
        }
    }

    private boolean isWanted(TreePath path, byte[] name) {
        if (GitNames.isGit(name) || !(paths.isEmpty() || paths.stream().anyMatch(meets(path)))) {
            return false;
        }
        if (++met > limits.entries()) {
            throw new TooMany();
        }
        if (path.depth() > limits.depth()) {
            cut("'" + path.parent().orElse(path) + "' lies too deep; what it holds is not shown");
            return false;
        }
        if (GitNames.isLookalike(name)) {
            notices.add("'" + path + "' is taken for git's own directory on some systems");
        }
        return true;
    }

    /** The repository's own is the session's, and no surprise. */
    private void noteNestedGit(TreePath path, byte[] name) {
        boolean nested = GitNames.isGit(name) && path.depth() > 1;
        if (nested && (paths.isEmpty() || paths.stream().anyMatch(path::startsWith))) {
            notices.add("'" + path + "' is a repository inside and is left out");
        }
    }

    private static Predicate<TreePath> meets(TreePath path) {
        return wanted -> path.startsWith(wanted) || wanted.startsWith(path);
    }

    /** Lets one entry that cannot be read not spoil the others. */
    private void guarded(TreePath path, Dir upper, Runnable look) {
        try {
            look.run();
        } catch (HostOperationException failed) {
            boolean vanished = upper.stat(path.name()).isEmpty();
            if (!vanished) {
                cut("'" + path + "' cannot be read: " + failed.message());
            }
        }
    }

    private void entry(TreePath path, Dir upper, MergedDirectory base, boolean hidden) {
        Optional<FileStatus> now = upper.stat(path.name());
        if (now.isEmpty()) {
            return;
        }
        FileStatus status = now.get();
        if (status.isWhiteout()) {
            deleted(path, base);
            return;
        }
        try (Found before = base.find(path.name())) {
            if (isSpecial(path, before)) {
                return;
            }
            SpecialBits.gained(status, before, upper::stat)
                    .forEach(bit -> notices.add("'" + path + "': its " + bit + " bit is left out"));
            if (status.type() == FileType.DIRECTORY) {
                subdirectory(path, upper, status, before, hidden);
            } else {
                leaf(path, new Found.Leaf(upper, path.name(), status), before);
            }
        }
    }

    private boolean isSpecial(TreePath path, Found found) {
        if (MergedTree.entry(found).orElse(null) instanceof Entry.Special special) {
            notices.add("'" + path + "' is " + special.described() + " and is left out");
            return true;
        }
        return false;
    }

    private void subdirectory(
            TreePath path, Dir upper, FileStatus status, Found before, boolean hidden) {
        Optional<Dir> opened = upper.openDirIfExists(path.name());
        if (opened.isEmpty()) {
            return;
        }
        try (Dir directory = opened.get()) {
            Entry after = new Entry.Directory(Entry.permissions(status));
            switch (before) {
                case Found.Sub sub -> {
                    Entry old = new Entry.Directory(Entry.permissions(sub.status()));
                    if (!old.equals(after)) {
                        changes.add(Change.between(path, ChangeKind.MODE_CHANGED, old, after));
                    }
                    directory(path, directory, sub.directory(), hidden);
                }
                case Found.Leaf leaf -> {
                    Entry old = MergedTree.entry(leaf);
                    changes.add(Change.between(path, ChangeKind.TYPE_CHANGED, old, after));
                    directory(path, directory, MergedDirectory.empty(), true);
                }
                case Found.Nothing() -> {
                    changes.add(Change.added(path, after));
                    directory(path, directory, MergedDirectory.empty(), true);
                }
            }
        }
    }

    private void leaf(TreePath path, Found.Leaf now, Found before) {
        if (isSpecial(path, now)) {
            return;
        }
        Entry after = MergedTree.entry(now);
        switch (before) {
            case Found.Nothing() -> changes.add(Change.added(path, after));
            case Found.Leaf old ->
                    kind(path, old, now)
                            .ifPresent(kind ->
                                    changes.add(
                                            Change.between(
                                                    path, kind, MergedTree.entry(old), after)));
            case Found.Sub sub -> {
                Entry old = new Entry.Directory(Entry.permissions(sub.status()));
                changes.add(Change.between(path, ChangeKind.TYPE_CHANGED, old, after));
                deletedBelow(path, sub.directory());
            }
        }
    }

    private Optional<ChangeKind> kind(TreePath path, Found.Leaf old, Found.Leaf now) {
        if (old.status().type() != now.status().type()) {
            return Optional.of(ChangeKind.TYPE_CHANGED);
        }
        Entry before = MergedTree.entry(old);
        Entry after = MergedTree.entry(now);
        if (now.status().type() == FileType.SYMLINK) {
            return before.equals(after) ? Optional.empty() : Optional.of(ChangeKind.MODIFIED);
        }
        if (old.status().size() != now.status().size() || !sameContent(path, old, now)) {
            return Optional.of(ChangeKind.MODIFIED);
        }
        return before.equals(after) ? Optional.empty() : Optional.of(ChangeKind.MODE_CHANGED);
    }

    private boolean sameContent(TreePath path, Found.Leaf old, Found.Leaf now) {
        if (now.status().size() > limits.comparedBytes()) {
            notices.add("'" + path + "' is too large to compare and is taken as modified");
            return false;
        }
        return Contents.same(old.holder(), old.name(), now.holder(), now.name());
    }

    private void deleted(TreePath path, MergedDirectory base) {
        try (Found before = base.find(path.name())) {
            if (before instanceof Found.Nothing || isSpecial(path, before)) {
                return;
            }
            MergedTree.entry(before).ifPresent(old -> changes.add(Change.deleted(path, old)));
            if (before instanceof Found.Sub sub) {
                deletedBelow(path, sub.directory());
            }
        }
    }

    private void deletedBelow(TreePath path, MergedDirectory base) {
        for (byte[] name : base.names()) {
            TreePath child = path.child(name);
            if (isWanted(child, name)) {
                deleted(child, base);
            }
        }
    }

    private void cut(String notice) {
        notices.add(notice);
        complete = false;
    }

    /** The limit of entries, from any depth. */
    private static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooMany() {
            super("too many entries", null, false, false);
        }
    }
}
