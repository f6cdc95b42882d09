package dev.carrel.core.overlay;

import dev.carrel.core.overlay.MergedDirectory.Found;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which files and links a directory of the host has and the base has not, and the other way round.
 * Names alone are compared, no contents, so that the cost is one listing of each directory.
 *
 * @param deleted sorted; what the base has
 * @param added sorted; what the host has, without what is ignored and without repositories inside
 * @param complete whether no limit cut the lists short
 */
public record NameDifference(List<TreePath> deleted, List<TreePath> added, boolean complete) {

    public NameDifference {
        deleted = List.copyOf(deleted);
        added = List.copyOf(added);
    }

    /** Compares; links are not followed, and special files are left out. */
    public static NameDifference of(LayerStack stack, Path host, IgnoreFilter ignore, Limits limits)
            throws InterruptedException {
        Comparison comparison = new Comparison(limits);
        try (MergedDirectory base = MergedDirectory.open(stack.lowers());
                MergedDirectory other = MergedDirectory.open(List.of(host))) {
            comparison.directory(TreePath.ROOT, base, other);
        }
        try (MergedTree tree = MergedTree.plain(host)) {
            // First whole directories: what is ignored as one is often larger than all else.
            List<Change> kept = comparison.without(ignore.ignored(tree, comparison.added));
            comparison.added.clear();
            kept.forEach(change -> comparison.expand(tree, change));
            List<TreePath> added =
                    comparison.without(ignore.ignored(tree, comparison.added)).stream()
                            .map(Change::path)
                            .sorted()
                            .toList();
            comparison.deleted.sort(Comparator.naturalOrder());
            return new NameDifference(comparison.deleted, added, comparison.complete);
        }
    }

    private static final class Comparison {

        private final Limits limits;
        private final List<TreePath> deleted = new ArrayList<>();
        private final List<Change> added = new ArrayList<>();
        private boolean complete = true;
        private long met;

        Comparison(Limits limits) {
            this.limits = limits;
        }

        void directory(TreePath path, MergedDirectory base, MergedDirectory host) {
            Set<byte[]> names = new TreeSet<>(Arrays::compareUnsigned);
            names.addAll(base.names());
            names.addAll(host.names());
            for (byte[] name : names) {
                TreePath child = path.child(name);
                if (isMet(child, name)) {
                    try (Found before = base.find(name);
                            Found now = host.find(name)) {
                        compare(child, before, now);
                    }
                }
            }
        }

        private void compare(TreePath path, Found before, Found now) {
            if (before instanceof Found.Sub old && now instanceof Found.Sub sub) {
                directory(path, old.directory(), sub.directory());
                return;
            }
            boolean wasFile = isFile(before);
            boolean isFile = isFile(now);
            if (wasFile && !isFile) {
                deleted.add(path);
            }
            if (before instanceof Found.Sub old) {
                deletedBelow(path, old.directory());
            }
            boolean isNew = !wasFile && isFile;
            boolean isOwnRepo =
                    now instanceof Found.Sub sub
                            && sub.directory().names().stream().anyMatch(GitNames::isGit);
            if (isNew || (now instanceof Found.Sub && !isOwnRepo)) {
                MergedTree.entry(now).ifPresent(entry -> added.add(Change.added(path, entry)));
            }
        }

        private static boolean isFile(Found found) {
            return found instanceof Found.Leaf leaf
                    && !(MergedTree.entry(leaf) instanceof Entry.Special);
        }

        private void deletedBelow(TreePath path, MergedDirectory base) {
            for (byte[] name : base.names()) {
                TreePath child = path.child(name);
                if (isMet(child, name)) {
                    try (Found before = base.find(name)) {
                        compare(child, before, new Found.Nothing());
                    }
                }
            }
        }

        private boolean isMet(TreePath path, byte[] name) {
            if (GitNames.isGit(name)) {
                return false;
            }
            if (++met > limits.entries() || path.depth() > limits.depth()) {
                complete = false;
                return false;
            }
            return true;
        }

        List<Change> without(Set<TreePath> ignored) {
            return added.stream().filter(change -> !ignored.contains(change.path())).toList();
        }

        /** Files as they are; directories by what they hold. */
        void expand(MergedTree tree, Change change) {
            if (!(change.after().orElse(null) instanceof Entry.Directory)) {
                added.add(change);
                return;
            }
            List<byte[]> names = tree.names(change.path());
            if (names.stream().anyMatch(GitNames::isGit)) {
                return;
            }
            for (byte[] name : names) {
                TreePath child = change.path().child(name);
                if (isMet(child, name)) {
                    tree.entry(child)
                            .filter(entry -> !(entry instanceof Entry.Special))
                            .ifPresent(entry -> expand(tree, Change.added(child, entry)));
                }
            }
        }
    }
}
