package dev.carrel.core.apply;

import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.GitNames;
import dev.carrel.core.posix.Identity;
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

/** Decides for one target what is done at each place, or what stands against it. */
final class TargetPlanner {

    private static final int OWNER_ALL = 0700;

    private final ApplyTarget target;
    private final Map<TreePath, Fingerprint> applied;
    private final List<Planned> removals = new ArrayList<>();
    private final List<Planned> creations = new ArrayList<>();
    private final List<Planned> modes = new ArrayList<>();
    private final List<ApplyConflict> conflicts = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final Map<TreePath, Optional<Fingerprint>> settled = new HashMap<>();
    private final Set<TreePath> made = new HashSet<>();
    private final Set<TreePath> wanted = new HashSet<>();
    private final Set<TreePath> mustGo = new HashSet<>();
    private final boolean root = Identity.effectiveUid() == 0;

    TargetPlanner(ApplyTarget target, Map<TreePath, Fingerprint> applied) {
        this.target = target;
        this.applied = applied;
    }

    /**
     * @param settled what is as wanted already: to be remembered as applied, or forgotten
     */
    record Result(
            List<Planned> operations,
            List<ApplyConflict> conflicts,
            List<String> notices,
            Map<TreePath, Optional<Fingerprint>> settled) {}

    Result plan(boolean includeIgnored) throws InterruptedException {
        WantedList list = new WantedList(target, applied, includeIgnored);
        List<Wanted> items = list.compute();
        notices.addAll(list.notices());
        List<Planned> operations;
        try (HostTree host = new HostTree(target.hostRoot());
                HostComparison comparison = new HostComparison(target, host)) {
            for (Wanted item : items) {
                decide(item, host, comparison);
            }
            OperationOrder order = new OperationOrder(target.repoName(), host, mustGo);
            operations = order.arrange(removals, creations, modes);
            conflicts.addAll(order.conflicts());
            notices.addAll(order.notices());
        }
        return new Result(operations, conflicts, notices, settled);
    }

    private void decide(Wanted item, HostTree host, HostComparison comparison) {
        TreePath path = item.path();
        HostTree.Found found = host.find(path);
        if (found instanceof HostTree.Found.Blocked(TreePath by, Entry what)) {
            boolean ours = made.contains(by) || (wanted.contains(by) && item.target().isEmpty());
            if (what instanceof Entry.Link && !ours) {
                conflict(path, "the host reaches it through the symbolic link '" + by + "'");
                return;
            }
            found = new HostTree.Found.Missing();
        }
        if (comparison.isTarget(item, found, applied.containsKey(path))) {
            wanted.add(path);
            settle(item, host, found);
        } else if (isLookalike(item)) {
            conflict(path, "other systems take this name for git's own directory");
        } else if (comparison.isBase(item, found)
                || comparison.isApplied(Optional.ofNullable(applied.get(path)), path, found)) {
            operate(item, host, found, comparison);
        } else {
            conflict(path, difference(item, found));
        }
    }

    private static boolean isLookalike(Wanted item) {
        return item.base().isEmpty()
                && item.target().isPresent()
                && GitNames.hasLookalike(item.path());
    }

    private static String difference(Wanted item, HostTree.Found found) {
        String had = item.base().map(Entry::described).orElse("nothing");
        if (!(found instanceof HostTree.Found.Here(Entry now, FileStatus _))) {
            return "the host has nothing there any more, the session started from " + had;
        }
        boolean sameType = now.described().equals(had);
        return sameType
                ? "the host's "
                        + had.replaceFirst("^an? ", "")
                        + " changed since the session's start"
                : "the host has " + now.described() + ", the session started from " + had;
    }

    private void conflict(TreePath path, String reason) {
        conflicts.add(new ApplyConflict(target.repoName(), path, reason));
    }

    /** What the user did alone is never remembered as ours: it would be taken back with us. */
    private void settle(Wanted item, HostTree host, HostTree.Found found) {
        TreePath path = item.path();
        if (!applied.containsKey(path)) {
            return;
        }
        if (item.isTakenBack()) {
            settled.put(path, Optional.empty());
        } else if (found instanceof HostTree.Found.Here(Entry _, FileStatus status)) {
            Dir directory = host.directory(path.parent().orElseThrow()).orElseThrow();
            settled.put(path, Optional.of(Fingerprint.of(directory, path.name(), status)));
        } else {
            settled.put(path, Optional.of(Fingerprint.ABSENT));
        }
    }

    private void operate(
            Wanted item, HostTree host, HostTree.Found found, HostComparison comparison) {
        Optional<FileStatus> present =
                found instanceof HostTree.Found.Here(Entry _, FileStatus status)
                        ? Optional.of(status)
                        : Optional.empty();
        if (item.target().isEmpty()) {
            remove(item, found, present, false);
            return;
        }
        int mode = comparison.targetMode(item, found);
        Entry now = found instanceof HostTree.Found.Here here ? here.entry() : null;
        switch (item.target().get()) {
            case Entry.RegularFile _ -> {
                // A second name of the file, in the base perhaps, must not change with it.
                boolean alone = present.filter(status -> status.links() == 1).isPresent();
                if (alone
                        && now instanceof Entry.RegularFile file
                        && comparison.hasTargetContent(item, file)) {
                    changeMode(item, present.orElseThrow(), mode);
                } else {
                    create(item, host, found, present, mode);
                }
            }
            case Entry.Link _ -> create(item, host, found, present, mode);
            case Entry.Directory _ -> {
                if (now instanceof Entry.Directory) {
                    changeMode(item, present.orElseThrow(), mode);
                } else {
                    create(item, host, found, present, mode);
                }
            }
            case Entry.Special _ -> throw new IllegalStateException("no change has special files");
        }
    }

    private void changeMode(Wanted item, FileStatus present, int to) {
        Operation change = new Operation.ChangeMode(item.path(), Entry.permissions(present), to);
        modes.add(planned(item, change, Optional.of(present), Optional.empty()));
    }

    private void remove(
            Wanted item, HostTree.Found found, Optional<FileStatus> present, boolean replaced) {
        TreePath path = item.path();
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
                planned(item, removal, present, root ? present.map(Owner::of) : Optional.empty()));
    }

    private void create(
            Wanted item,
            HostTree host,
            HostTree.Found found,
            Optional<FileStatus> present,
            int mode) {
        TreePath path = item.path();
        TreePath parent = path.parent().orElseThrow();
        if (!made.contains(parent) && host.directory(parent).isEmpty()) {
            conflict(path, "the host has no directory '" + parent + "' any more");
            return;
        }
        Entry entry = item.target().orElseThrow();
        boolean wasDirectory =
                found instanceof HostTree.Found.Here(Entry.Directory _, FileStatus _);
        boolean inTheWay =
                present.isPresent() && (wasDirectory || entry instanceof Entry.Directory);
        if (inTheWay) {
            remove(item, found, present, true);
        }
        boolean replaces = present.isPresent() && !inTheWay;
        Operation creation =
                switch (entry) {
                    case Entry.RegularFile _ ->
                            new Operation.Write(path, mode, item.source(), replaces);
                    case Entry.Link(byte[] text) -> new Operation.Link(path, text, replaces);
                    case Entry.Directory _ -> new Operation.MakeDirectory(path, mode);
                    case Entry.Special _ -> throw new IllegalStateException("see above");
                };
        if (entry instanceof Entry.Directory) {
            made.add(path);
            if ((mode & OWNER_ALL) != OWNER_ALL) {
                // Made so that it can be filled, restricted at the end.
                Operation restrict = new Operation.ChangeMode(path, mode | OWNER_ALL, mode);
                modes.add(planned(item, restrict, Optional.empty(), Optional.empty()));
            }
        }
        FileStatus ownerOf = present.orElseGet(() -> host.nearestDirectory(path));
        Optional<Owner> owner = root ? Optional.of(Owner.of(ownerOf)) : Optional.empty();
        creations.add(planned(item, creation, replaces ? present : Optional.empty(), owner));
    }

    private static Planned planned(
            Wanted item, Operation operation, Optional<FileStatus> present, Optional<Owner> owner) {
        return new Planned(operation, present, owner, !item.isTakenBack());
    }
}
