package dev.carrel.core.apply;

import dev.carrel.core.apply.HostTree.Found;
import dev.carrel.core.apply.Judge.Judged;
import dev.carrel.core.apply.Judge.Verdict;
import dev.carrel.core.apply.Operations.Making;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.tree.Dir;
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

/** Decides for one target what is done at each place, or what stands against it. */
final class TargetPlanner {

    private final ApplyTarget target;
    private final MergeTool tool;
    private final Map<TreePath, Applied> applied;
    private final Ancestors ancestors;
    private final Map<TreePath, String> conflicts = new TreeMap<>();
    private final List<String> notices = new ArrayList<>();
    private final Map<TreePath, Optional<Fingerprint>> settled = new HashMap<>();
    private final Set<TreePath> asWanted = new HashSet<>();

    TargetPlanner(
            ApplyTarget target,
            MergeTool tool,
            Map<TreePath, Applied> applied,
            Ancestors ancestors) {
        this.target = target;
        this.tool = tool;
        this.applied = applied;
        this.ancestors = ancestors;
    }

    /**
     * @param settled what is as wanted already: to be remembered as applied, or forgotten
     * @param bytes that the files which are written have
     */
    record Result(
            List<Planned> operations,
            List<ApplyConflict> conflicts,
            List<String> notices,
            Map<TreePath, Optional<Fingerprint>> settled,
            long bytes) {}

    Result plan(boolean includeIgnored) throws InterruptedException {
        WantedList list = new WantedList(target, applied, includeIgnored);
        List<Wanted> items = list.compute();
        notices.addAll(list.notices());
        try (HostTree host = new HostTree(target.hostRoot());
                HostComparison comparison = new HostComparison(target, host)) {
            Judge judge = new Judge(applied, host, comparison, ancestors, items);
            List<Judged> judged = items.stream().map(judge::judge).toList();
            Map<TreePath, Resolution> resolutions = merged(host, comparison, judged);
            Operations operations = new Operations(host, comparison::baseMode);
            turns(judged, resolutions)
                    .forEach((path, turn) -> turn.take(operations, host, comparison));
            OperationOrder.Result ordered = operations.arrange(target.repoName());
            notices.addAll(ordered.notices());
            List<ApplyConflict> all = new ArrayList<>();
            conflicts.forEach((path, reason) -> all.add(conflict(path, reason)));
            all.addAll(ordered.conflicts());
            return new Result(
                    ordered.operations(),
                    all.stream().map(c -> withVersions(c, host, comparison)).toList(),
                    notices,
                    settled,
                    operations.bytes());
        }
    }

    private ApplyConflict conflict(TreePath path, String reason) {
        return ApplyConflict.of(target.repoName(), path, reason);
    }

    private static ApplyConflict withVersions(
            ApplyConflict conflict, HostTree host, HostComparison comparison) {
        Optional<Entry> now =
                host.find(conflict.path()) instanceof Found.Here here
                        ? Optional.of(here.entry())
                        : Optional.empty();
        return conflict.with(
                comparison.base().entry(conflict.path()),
                now,
                comparison.view().entry(conflict.path()));
    }

    /** A merge only where it is needed: it costs more than all else. */
    private Map<TreePath, Resolution> merged(
            HostTree host, HostComparison comparison, List<Judged> judged)
            throws InterruptedException {
        boolean contested = judged.stream().anyMatch(j -> j.verdict() == Verdict.CONTESTED);
        if (!contested) {
            return new TreeMap<>();
        }
        try {
            TargetMerge.Outcome outcome =
                    new TargetMerge(target, tool, applied, ancestors, host, comparison, judged)
                            .run();
            conflicts.putAll(outcome.conflicts());
            notices.addAll(outcome.notices());
            return outcome.resolutions();
        } catch (UnsupportedHostException oldGit) {
            judged.stream()
                    .filter(j -> j.verdict() == Verdict.CONTESTED && !j.isGone())
                    .forEach(j -> conflicts.put(j.path(), oldGit.message()));
            return Map.of();
        }
    }

    private interface Turn {
        void take(Operations operations, HostTree host, HostComparison comparison);
    }

    /** All places in the order of their paths: directories come before what they hold. */
    private Map<TreePath, Turn> turns(List<Judged> judged, Map<TreePath, Resolution> resolutions) {
        TreeMap<TreePath, Turn> turns = new TreeMap<>();
        resolutions.forEach((path, resolution) ->
                turns.put(path, (to, host, _) -> carryOut(resolution, to, host)));
        for (Judged each : judged) {
            Resolution merged = resolutions.get(each.path());
            if (merged == null) {
                turns.put(
                        each.path(), (to, host, comparison) -> decide(each, to, host, comparison));
            } else if (each.item().target().orElse(null) instanceof Entry.Directory) {
                turns.put(
                        each.path(),
                        (to, _, comparison) -> makeDirectory(each, merged, to, comparison));
            }
        }
        return turns;
    }

    /** The merge was about the file in its place. */
    private void makeDirectory(
            Judged judged, Resolution merged, Operations to, HostComparison comparison) {
        boolean fileGoes = merged.outcome() instanceof Resolution.Outcome.Gone;
        boolean fileStays =
                merged.outcome() instanceof Resolution.Outcome.Put
                        || (!fileGoes && Judge.isFile(judged.now()));
        if (fileStays) {
            conflicts.put(judged.path(), "one side has a directory there, the other a file");
        } else {
            operate(judged, to, comparison);
        }
    }

    private void decide(Judged judged, Operations to, HostTree host, HostComparison comparison) {
        Wanted item = judged.item();
        TreePath path = item.path();
        if (conflicts.containsKey(path)) {
            return;
        }
        if (judged.found() instanceof Found.Blocked(TreePath by, Entry what)
                && what instanceof Entry.Link
                && !to.makes(by)
                && !(asWanted.contains(by) && item.target().isEmpty())) {
            conflict(path, by);
            return;
        }
        switch (judged.verdict()) {
            case SETTLED -> {
                asWanted.add(path);
                settle(judged, host);
            }
            case FREE -> operate(judged, to, comparison);
            case UNCHANGED_SINCE -> {}
            case LOOKALIKE ->
                    conflicts.put(path, "other systems take this name for git's own directory");
            case CONTESTED, REFUSED -> {
                if (!judged.isGone()) {
                    conflicts.put(path, difference(judged));
                }
            }
        }
    }

    private void conflict(TreePath path, TreePath by) {
        conflicts.put(path, "the host reaches it through the symbolic link '" + by + "'");
    }

    private static String difference(Judged judged) {
        String had = judged.item().base().map(Entry::described).orElse("nothing");
        if (judged.now().isEmpty()) {
            return "the host has nothing there any more, the session started from " + had;
        }
        String now = judged.now().get().described();
        return now.equals(had)
                ? "the host's "
                        + had.replaceFirst("^an? ", "")
                        + " changed since the session's start"
                : "the host has " + now + ", the session started from " + had;
    }

    /** What the user did alone is never remembered as ours: it would be taken back with us. */
    private void settle(Judged judged, HostTree host) {
        TreePath path = judged.path();
        if (!applied.containsKey(path)) {
            return;
        }
        if (judged.item().isTakenBack()) {
            settled.put(path, Optional.empty());
        } else if (judged.found() instanceof Found.Here(Entry _, FileStatus status)) {
            Dir directory = host.directory(path.parent().orElseThrow()).orElseThrow();
            settled.put(path, Optional.of(Fingerprint.of(directory, path.name(), status)));
        } else {
            settled.put(path, Optional.of(Fingerprint.ABSENT));
        }
    }

    private void operate(Judged judged, Operations to, HostComparison comparison) {
        Wanted item = judged.item();
        TreePath path = item.path();
        Memory memory = item.isTakenBack() ? Memory.forgotten() : new Memory.AsWritten();
        Found found = judged.found() instanceof Found.Here here ? here : new Found.Missing();
        if (item.target().isEmpty()) {
            if (found instanceof Found.Here) {
                to.remove(path, found, memory);
            }
            return;
        }
        int mode = comparison.targetMode(item, found);
        if (found instanceof Found.Here(Entry now, FileStatus status)
                && keepsContent(item, now, status, comparison)) {
            to.changeMode(path, status, mode, memory);
            return;
        }
        Entry entry =
                switch (item.target().get()) {
                    case Entry.RegularFile file -> new Entry.RegularFile(mode, file.size());
                    case Entry.Directory _ -> new Entry.Directory(mode);
                    case Entry.Link link -> link;
                    case Entry.Special _ ->
                            throw new IllegalStateException("no change has special files");
                };
        to.create(path, entry, found, Making.of(item.source(), new Material.FromTree(), memory))
                .ifPresent(obstacle -> conflicts.put(path, obstacle));
    }

    private static boolean keepsContent(
            Wanted item, Entry now, FileStatus status, HostComparison comparison) {
        Entry wanted = item.target().orElseThrow();
        if (wanted instanceof Entry.Directory) {
            return now instanceof Entry.Directory;
        }
        // A second name of the file, in the base perhaps, must not change with it.
        return status.links() == 1
                && wanted instanceof Entry.RegularFile
                && now instanceof Entry.RegularFile file
                && comparison.hasTargetContent(item, file);
    }

    private void carryOut(Resolution resolution, Operations to, HostTree host) {
        TreePath path = resolution.path();
        Found found = resolution.found();
        if (found instanceof Found.Blocked(TreePath by, Entry what)) {
            if (what instanceof Entry.Link
                    && resolution.outcome() instanceof Resolution.Outcome.Put
                    && !to.makes(by)) {
                conflict(path, by);
                return;
            }
            found = new Found.Missing();
        }
        switch (resolution.outcome()) {
            case Resolution.Outcome.AsHost() -> {}
            case Resolution.Outcome.Gone() -> to.remove(path, found, resolution.memory());
            case Resolution.Outcome.Mode(int mode) -> changeMode(resolution, mode, to, host);
            case Resolution.Outcome.Put(Entry entry, Operation.Source source, Material material) ->
                    to.create(path, entry, found, Making.of(source, material, resolution.memory()))
                            .ifPresent(obstacle -> conflicts.put(path, obstacle));
        }
    }

    private static void changeMode(Resolution resolution, int mode, Operations to, HostTree host) {
        TreePath path = resolution.path();
        if (!(resolution.found() instanceof Found.Here(Entry now, FileStatus status))) {
            throw new IllegalStateException("no file to change the mode of: " + path);
        }
        if (status.links() == 1) {
            to.changeMode(path, status, mode, resolution.memory());
            return;
        }
        byte[] content = host.content(path);
        to.create(
                path,
                new Entry.RegularFile(mode, content.length),
                new Found.Here(now, status),
                Making.of(
                        Operation.Source.MERGED,
                        new Material.Merged(content, Optional.empty()),
                        resolution.memory()));
    }
}
