package dev.carrel.core.snapshot;

import dev.carrel.core.repo.OriginUser;
import dev.carrel.core.repo.WorkTree;
import dev.carrel.core.repo.WorkTree.Uncommitted;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a private layer holds besides the git directory.
 *
 * @param uncommitted what differs from the commit
 * @param included what the request names although git ignores it
 */
record LayerContents(List<Uncommitted> uncommitted, List<TreePath> included) {

    LayerContents {
        uncommitted = List.copyOf(uncommitted);
        included = List.copyOf(included);
    }

    static LayerContents look(
            WorkTree tree, SnapshotRequest request, OriginUser user, List<String> notices)
            throws InterruptedException {
        Unreadable unreadable = new Unreadable(new Readability(user));
        List<Uncommitted> changed = request.uncommitted() ? tree.uncommitted() : List.of();
        Set<TreePath> named = new TreeSet<>();
        for (String pattern : request.include()) {
            Set<TreePath> matching = tree.matching(pattern);
            if (matching.isEmpty()) {
                notices.add("nothing matches the include pattern " + pattern);
            }
            named.addAll(matching);
        }
        try (Dir root = Dir.open(request.repo().root());
                DirCursor cursor = new DirCursor(root)) {
            List<Uncommitted> readable =
                    changed.stream().filter(u -> unreadable.passes(cursor, u.path())).toList();
            List<TreePath> included =
                    named.stream().filter(path -> unreadable.passes(cursor, path)).toList();
            unreadable.notice().ifPresent(notices::add);
            return new LayerContents(readable, included);
        }
    }

    /** Writes them into an empty layer. */
    void write(LayerWriter writer) {
        List<TreePath> gone = new ArrayList<>();
        for (Uncommitted changed : uncommitted) {
            if (!writer.copy(changed.path()) && changed.inCommit()) {
                gone.add(changed.path());
            }
        }
        included.forEach(writer::copy);
        gone.forEach(writer::hide);
    }

    /** Counts the files that cannot be copied. */
    private static final class Unreadable {
        private final Readability readability;
        private int count;
        private Optional<TreePath> first = Optional.empty();

        Unreadable(Readability readability) {
            this.readability = readability;
        }

        boolean passes(DirCursor cursor, TreePath path) {
            Optional<Dir> parent = cursor.parentOf(path);
            Optional<FileStatus> status = parent.flatMap(dir -> dir.stat(path.name()));
            boolean passes =
                    status.isEmpty()
                            || status.get().type() != FileType.REGULAR
                            || readability.mayRead(parent.get(), path.name(), status.get());
            if (!passes) {
                count++;
                first = first.or(() -> Optional.of(path));
            }
            return passes;
        }

        Optional<String> notice() {
            return first.map(path -> Notices.unreadable(count, path));
        }
    }
}
