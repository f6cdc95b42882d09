package dev.carrel.core.apply;

import dev.carrel.core.apply.Judge.Judged;
import dev.carrel.core.merge.Blob;
import dev.carrel.core.merge.MergePath;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.MergedTree;
import dev.carrel.core.overlay.NameDifference;
import dev.carrel.core.repo.FileMode;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * git takes a directory for renamed when all its files went to another one. In trees that hold only
 * what changed, a directory with other files would look so: one of them stands for the rest.
 */
final class DirectoryMarks {

    private static final Blob EMPTY = Blob.of(FileMode.PLAIN, () -> new byte[0]);

    private final MergedTree base;
    private final Set<TreePath> goneOnHost;
    private final Set<TreePath> goneInSession = new HashSet<>();

    DirectoryMarks(MergedTree base, NameDifference names, Map<TreePath, Judged> items) {
        this.base = base;
        this.goneOnHost = new HashSet<>(names.deleted());
        items.forEach((path, judged) -> {
            if (!Judge.isFile(judged.item().target())) {
                goneInSession.add(path);
            }
        });
    }

    List<MergePath> around(Set<TreePath> paths) {
        Map<TreePath, MergePath> marks = new TreeMap<>();
        for (Set<TreePath> gone : List.of(goneOnHost, goneInSession)) {
            Set<TreePath> asked = new HashSet<>();
            for (TreePath path : paths) {
                if (!gone.contains(path)) {
                    continue;
                }
                Optional<TreePath> directory = path.parent();
                while (directory.isPresent()
                        && !directory.get().isRoot()
                        && asked.add(directory.get())) {
                    left(directory.get(), gone)
                            .filter(mark -> !paths.contains(mark))
                            .ifPresent(mark -> marks.put(mark, mark(mark)));
                    directory = directory.get().parent();
                }
            }
        }
        return new ArrayList<>(marks.values());
    }

    private MergePath mark(TreePath path) {
        return new MergePath(
                path,
                Optional.of(EMPTY),
                goneOnHost.contains(path) ? Optional.empty() : Optional.of(EMPTY),
                goneInSession.contains(path) ? Optional.empty() : Optional.of(EMPTY));
    }

    /** A file that the directory still has. */
    private Optional<TreePath> left(TreePath directory, Set<TreePath> gone) {
        for (byte[] name : base.names(directory)) {
            TreePath path = directory.child(name);
            Optional<Entry> entry = base.entry(path);
            Optional<TreePath> found =
                    entry.orElse(null) instanceof Entry.Directory
                            ? left(path, gone)
                            : Optional.of(path)
                                    .filter(p -> Judge.isFile(entry) && !gone.contains(p));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
