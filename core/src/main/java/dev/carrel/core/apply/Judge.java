package dev.carrel.core.apply;

import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.GitNames;
import dev.carrel.core.tree.TreePath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells what the host did meanwhile at the places that a session changed. */
final class Judge {

    private final Map<TreePath, Applied> applied;
    private final HostTree host;
    private final HostComparison comparison;
    private final Ancestors ancestors;
    private final Map<TreePath, Wanted> items = new HashMap<>();

    Judge(
            Map<TreePath, Applied> applied,
            HostTree host,
            HostComparison comparison,
            Ancestors ancestors,
            List<Wanted> items) {
        this.applied = applied;
        this.host = host;
        this.comparison = comparison;
        this.ancestors = ancestors;
        items.forEach(item -> this.items.put(item.path(), item));
    }

    /** What follows for one place. */
    enum Verdict {
        /** The host has what the session wants. */
        SETTLED,
        /** The host has what the session started from, or what was applied last. */
        FREE,
        /** Both sides changed files there since they were the same: a merge decides. */
        CONTESTED,
        /** The session has nothing new since it was applied: the host's further changes stay. */
        UNCHANGED_SINCE,
        /** The name is not to be written. */
        LOOKALIKE,
        /** Both sides changed it, and there is nothing to merge. */
        REFUSED
    }

    /**
     * One place, judged.
     *
     * @param found what the host had at that moment
     */
    record Judged(Wanted item, HostTree.Found found, Verdict verdict) {

        TreePath path() {
            return item.path();
        }

        /** Whether neither side has anything there any more. */
        boolean isGone() {
            return now().isEmpty() && item.target().isEmpty();
        }

        /** What the host has; empty also where something else is in the way. */
        Optional<Entry> now() {
            return found instanceof HostTree.Found.Here here
                    ? Optional.of(here.entry())
                    : Optional.empty();
        }
    }

    Judged judge(Wanted item) {
        HostTree.Found found = host.find(item.path());
        HostTree.Found seen =
                found instanceof HostTree.Found.Blocked ? new HostTree.Found.Missing() : found;
        Applied known = applied.get(item.path());
        Verdict verdict = known == null ? verdict(item, seen) : verdict(item, seen, known);
        Judged judged = new Judged(item, found, verdict);
        return verdict == Verdict.CONTESTED && !isMergeable(judged)
                ? new Judged(item, found, Verdict.REFUSED)
                : judged;
    }

    private Verdict verdict(Wanted item, HostTree.Found found) {
        boolean missing = found instanceof HostTree.Found.Missing;
        if (comparison.isTarget(item, found, false)) {
            // Gone on both sides: renamed perhaps, and not to the same name.
            return missing && isFile(item.base()) ? Verdict.CONTESTED : Verdict.SETTLED;
        }
        if (item.base().isEmpty() && GitNames.hasLookalike(item.path())) {
            return Verdict.LOOKALIKE;
        }
        if (comparison.isBase(item, found)) {
            boolean lost = isFile(item.target()) && missing && hasLostParent(item.path());
            return lost ? Verdict.CONTESTED : Verdict.FREE;
        }
        return comparison.hasOwnBase(item) ? Verdict.CONTESTED : Verdict.REFUSED;
    }

    private Verdict verdict(Wanted item, HostTree.Found found, Applied known) {
        if (comparison.isTarget(item, found, true)) {
            return Verdict.SETTLED;
        }
        boolean asApplied = comparison.isApplied(known, item.path(), found);
        if (asApplied && known.merged().isEmpty()) {
            return Verdict.FREE;
        }
        if (!asApplied && comparison.isBase(item, found)) {
            return Verdict.FREE; // taken back on the host: to be applied anew
        }
        if (comparison.isAppliedTarget(known, item)) {
            return Verdict.UNCHANGED_SINCE;
        }
        boolean hasAncestor =
                known.session().equals(Fingerprint.ABSENT)
                        || ancestors.read(known.session()).isPresent();
        return hasAncestor ? Verdict.CONTESTED : Verdict.REFUSED;
    }

    private boolean isMergeable(Judged judged) {
        boolean throughLink =
                judged.found() instanceof HostTree.Found.Blocked(TreePath by, Entry what)
                        && what instanceof Entry.Link
                        && !changesType(by);
        boolean special = judged.now().orElse(null) instanceof Entry.Special;
        Wanted item = judged.item();
        boolean ofFiles = isFile(item.base()) || isFile(item.target()) || isFile(judged.now());
        return ofFiles && !throughLink && !special;
    }

    /** A directory that the session did not make, and the host has no more. */
    private boolean hasLostParent(TreePath path) {
        TreePath parent = path.parent().orElseThrow();
        return host.directory(parent).isEmpty() && !changesType(parent);
    }

    private boolean changesType(TreePath path) {
        Wanted item = items.get(path);
        return item != null
                && (item.target().isEmpty()
                        || item.target().get() instanceof Entry.Directory
                        || item.base().orElse(null) instanceof Entry.Directory);
    }

    static boolean isFile(Optional<Entry> entry) {
        return entry.orElse(null) instanceof Entry.RegularFile
                || entry.orElse(null) instanceof Entry.Link;
    }
}
