package dev.carrel.core.apply;

import dev.carrel.core.apply.Judge.Judged;
import dev.carrel.core.apply.Judge.Verdict;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.NameDifference;
import dev.carrel.core.tree.TreePath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses the places that a merge has to know: where both sides changed something, and what either
 * side may have renamed. All other places are nobody's question.
 */
final class MergeDomain {

    /** Files of more bytes are not merged. */
    static final long FILE_LIMIT = 64L << 20;

    /** More than this is not read to look for renamed files. */
    private static final long CANDIDATES_LIMIT = 256L << 20;

    private final List<Judged> judged;
    private final Map<TreePath, Applied> applied;
    private final NameDifference names;
    private final HostTree host;
    private final HostComparison comparison;
    private final Set<TreePath> paths = new TreeSet<>();
    private long read;

    MergeDomain(
            List<Judged> judged,
            Map<TreePath, Applied> applied,
            NameDifference names,
            HostTree host,
            HostComparison comparison) {
        this.judged = judged;
        this.applied = applied;
        this.names = names;
        this.host = host;
        this.comparison = comparison;
    }

    /** The places, sorted. */
    Set<TreePath> paths() {
        for (Judged each : judged) {
            if (each.verdict() == Verdict.CONTESTED) {
                paths.add(each.path());
                addOtherTypes(each);
            }
        }
        addRenames(sessionDeleted(), sessionAdded());
        addRenames(hostDeleted(), hostAdded());
        return paths;
    }

    /** Where a side has a directory in place of a file, git sees only what is in it. */
    private void addOtherTypes(Judged contested) {
        TreePath path = contested.path();
        if (contested.found() instanceof HostTree.Found.Blocked(TreePath by, Entry _)) {
            paths.add(by);
        }
        if (contested.item().target().orElse(null) instanceof Entry.Directory) {
            for (Judged each : judged) {
                if (each.path().startsWith(path) && Judge.isFile(each.item().target())) {
                    add(each.path(), size(each.item().target()));
                }
            }
        }
        if (contested.now().orElse(null) instanceof Entry.Directory) {
            for (TreePath added : names.added()) {
                if (added.startsWith(path)
                        && host.find(added) instanceof HostTree.Found.Here here) {
                    add(added, size(Optional.of(here.entry())));
                }
            }
        }
    }

    private boolean isCandidate(Judged each) {
        return (each.verdict() == Verdict.FREE || each.verdict() == Verdict.SETTLED)
                && !applied.containsKey(each.path());
    }

    private Map<TreePath, Long> sessionDeleted() {
        Map<TreePath, Long> sizes = new HashMap<>();
        for (Judged each : judged) {
            Wanted item = each.item();
            boolean known = isCandidate(each) || each.verdict() == Verdict.CONTESTED;
            if (known && Judge.isFile(item.base()) && !Judge.isFile(item.target())) {
                sizes.put(each.path(), size(item.base()));
            }
        }
        return sizes;
    }

    private Map<TreePath, Long> sessionAdded() {
        Map<TreePath, Long> sizes = new HashMap<>();
        for (Judged each : judged) {
            Wanted item = each.item();
            if (isCandidate(each) && !Judge.isFile(item.base()) && Judge.isFile(item.target())) {
                sizes.put(each.path(), size(item.target()));
            }
        }
        return sizes;
    }

    private Map<TreePath, Long> hostDeleted() {
        Map<TreePath, Long> sizes = new HashMap<>();
        for (TreePath path : names.deleted()) {
            if (!applied.containsKey(path)) {
                sizes.put(path, size(comparison.base().entry(path)));
            }
        }
        return sizes;
    }

    private Map<TreePath, Long> hostAdded() {
        Map<TreePath, Long> sizes = new HashMap<>();
        for (TreePath path : names.added()) {
            if (!applied.containsKey(path) && host.find(path) instanceof HostTree.Found.Here here) {
                sizes.put(path, size(Optional.of(here.entry())));
            }
        }
        return sizes;
    }

    private static long size(Optional<Entry> entry) {
        Entry found = entry.orElse(null);
        if (found instanceof Entry.RegularFile file) {
            return file.size();
        }
        return found instanceof Entry.Link(byte[] text) ? text.length : 0;
    }

    private void addRenames(Map<TreePath, Long> deleted, Map<TreePath, Long> added) {
        TreeSet<Long> gone = new TreeSet<>(deleted.values());
        TreeSet<Long> come = new TreeSet<>(added.values());
        added.forEach((path, size) -> addIfLike(path, size, gone));
        deleted.forEach((path, size) -> addIfLike(path, size, come));
    }

    /** git takes files for renamed that are alike by half at least; empty ones never. */
    private void addIfLike(TreePath path, long size, NavigableSet<Long> others) {
        Long nearest = others.ceiling((size + 1) / 2);
        if (size > 0 && nearest != null && nearest <= 2 * size) {
            add(path, size);
        }
    }

    private void add(TreePath path, long size) {
        boolean fits = size <= FILE_LIMIT && read + size <= CANDIDATES_LIMIT;
        if (!paths.contains(path) && fits) {
            read += size;
            paths.add(path);
        }
    }
}
