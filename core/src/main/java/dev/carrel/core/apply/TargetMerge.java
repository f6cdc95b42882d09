package dev.carrel.core.apply;

import dev.carrel.core.apply.Judge.Judged;
import dev.carrel.core.apply.Judge.Verdict;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.merge.MergeConflict;
import dev.carrel.core.merge.MergePath;
import dev.carrel.core.merge.MergeResult;
import dev.carrel.core.merge.TreeMerge;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.Limits;
import dev.carrel.core.overlay.NameDifference;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Merges what host and session changed both in one target. */
final class TargetMerge {

    private final ApplyTarget target;
    private final MergeTool tool;
    private final Map<TreePath, Applied> applied;
    private final Ancestors ancestors;
    private final HostTree host;
    private final HostComparison comparison;
    private final Map<TreePath, Judged> items = new HashMap<>();
    private final List<String> notices = new ArrayList<>();

    TargetMerge(
            ApplyTarget target,
            MergeTool tool,
            Map<TreePath, Applied> applied,
            Ancestors ancestors,
            HostTree host,
            HostComparison comparison,
            List<Judged> judged) {
        this.target = target;
        this.tool = tool;
        this.applied = applied;
        this.ancestors = ancestors;
        this.host = host;
        this.comparison = comparison;
        judged.forEach(each -> items.put(each.path(), each));
    }

    /**
     * What came of it.
     *
     * @param resolutions by path, for all places that the merge knew and no conflict is at
     * @param conflicts by path
     */
    record Outcome(
            Map<TreePath, Resolution> resolutions,
            Map<TreePath, String> conflicts,
            List<String> notices) {}

    Outcome run() throws InterruptedException {
        NameDifference names =
                NameDifference.of(
                        target.stack(), target.hostRoot(), target.ignore(), Limits.STANDARD);
        if (!names.complete()) {
            notices.add("not all of the host's new files were looked at for renamed ones");
        }
        Set<TreePath> domain =
                new MergeDomain(List.copyOf(items.values()), applied, names, host, comparison)
                        .paths();
        Map<TreePath, String> conflicts = new TreeMap<>();
        Map<TreePath, Sides> sides = new TreeMap<>();
        for (TreePath path : domain) {
            Sides of = sides(path);
            if (of.largest() > MergeDomain.FILE_LIMIT) {
                conflicts.put(path, "both sides changed it, and it is too large to merge");
            } else {
                sides.put(path, of);
            }
        }
        List<MergePath> paths = new ArrayList<>();
        sides.forEach((path, of) -> paths.add(of.forGit(path)));
        paths.addAll(new DirectoryMarks(comparison.base(), names, items).around(sides.keySet()));
        MergeResult result = TreeMerge.of(tool.runner(), tool.scratch(), paths);
        requireUnchanged(sides);
        return resolve(sides, result, conflicts);
    }

    private Outcome resolve(
            Map<TreePath, Sides> sides, MergeResult result, Map<TreePath, String> conflicts) {
        Set<TreePath> spoilt = new HashSet<>();
        for (MergeConflict conflict : result.conflicts()) {
            spoilt.addAll(conflict.paths());
            new ConflictText(conflict, sides, result).lines().forEach(conflicts::putIfAbsent);
        }
        Resolver resolver = new Resolver(target.modes(), sides, items, result);
        TreeMap<TreePath, Resolution> resolutions = new TreeMap<>();
        for (TreePath path : sides.keySet()) {
            if (!spoilt.contains(path)) {
                resolver.resolve(path)
                        .ifPresentOrElse(
                                resolution -> resolutions.put(path, resolution),
                                () ->
                                        conflicts.put(
                                                path, "both sides changed its permission bits"));
            }
        }
        return new Outcome(resolutions, conflicts, notices);
    }

    private Sides sides(TreePath path) {
        Judged judged = items.get(path);
        HostTree.Found found = judged == null ? host.find(path) : judged.found();
        if (judged == null) {
            Optional<MergeSide> base = base(path);
            return new Sides(found, base, hostSide(path, found), base);
        }
        Wanted item = judged.item();
        Optional<MergeSide> base =
                Optional.ofNullable(applied.get(path))
                        .map(known -> MergeSide.of(known.session(), ancestors))
                        .orElseGet(() -> base(path));
        Optional<MergeSide> session = sessionSide(item);
        boolean asBase = judged.verdict() == Verdict.FREE && Judge.isFile(judged.now());
        Optional<MergeSide> onHost =
                asBase
                        ? base
                        : judged.verdict() == Verdict.SETTLED ? session : hostSide(path, found);
        return new Sides(found, base, onHost, session);
    }

    private Optional<MergeSide> base(TreePath path) {
        return MergeSide.of(comparison.base().entry(path), () -> comparison.base().read(path));
    }

    private Optional<MergeSide> sessionSide(Wanted item) {
        var tree = item.isTakenBack() ? comparison.base() : comparison.view();
        return MergeSide.of(item.target(), () -> tree.read(item.path()))
                .map(MergeSide::remembering);
    }

    private Optional<MergeSide> hostSide(TreePath path, HostTree.Found found) {
        return found instanceof HostTree.Found.Here here
                ? MergeSide.of(
                        Optional.of(here.entry()),
                        () ->
                                host.directory(path.parent().orElseThrow())
                                        .orElseThrow()
                                        .read(path.name()))
                : Optional.empty();
    }

    /** What was read for the merge must be what is replaced. */
    private void requireUnchanged(Map<TreePath, Sides> sides) {
        sides.forEach((path, of) -> {
            boolean same = identity(host.find(path)).equals(identity(of.found()));
            if (!same) {
                throw new ConflictException(
                        "'" + path + "' changed on the host while it was merged", "apply again");
            }
        });
    }

    private static Optional<String> identity(HostTree.Found found) {
        return found instanceof HostTree.Found.Here(Entry _, FileStatus status)
                ? Optional.of(Task.identity(status))
                : Optional.empty();
    }
}
