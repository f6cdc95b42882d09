package dev.carrel.core.apply;

import dev.carrel.core.overlay.Entry;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Orders operations so that each finds what it needs: directories that the owner may not write are
 * opened up, removals go from below, creations from above, permission bits of directories come
 * last.
 */
final class OperationOrder {

    private static final int OWNER_ALL = 0700;

    private final String repo;
    private final HostTree host;
    private final Set<TreePath> mustGo;
    private final List<ApplyConflict> conflicts = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();

    /**
     * @param mustGo directories in whose place something else comes
     */
    OperationOrder(String repo, HostTree host, Set<TreePath> mustGo) {
        this.repo = repo;
        this.host = host;
        this.mustGo = mustGo;
    }

    /**
     * @param operations in their order
     */
    record Result(List<Planned> operations, List<ApplyConflict> conflicts, List<String> notices) {}

    Result arrange(List<Planned> removals, List<Planned> creations, List<Planned> modes) {
        List<Planned> gone = possible(removals);
        Map<TreePath, Planned> last = new LinkedHashMap<>();
        Comparator<Planned> byPath = Comparator.comparing(p -> p.operation().path());
        modes.stream().sorted(byPath.reversed()).forEach(m -> last.put(m.operation().path(), m));
        List<Planned> opened = openUp(gone, creations, last);
        List<Planned> all = new ArrayList<>(opened);
        all.addAll(gone);
        all.addAll(creations);
        all.addAll(last.values());
        return new Result(all, conflicts, notices);
    }

    /** Without directories that hold something that is not the session's to remove. */
    private List<Planned> possible(List<Planned> removals) {
        Set<TreePath> gone = new HashSet<>();
        List<Planned> kept = new ArrayList<>();
        for (Planned removal : removals.reversed()) {
            TreePath path = removal.operation().path();
            Optional<String> rest =
                    removal.operation() instanceof Operation.RemoveDirectory
                            ? rest(path, gone)
                            : Optional.empty();
            if (rest.isEmpty()) {
                gone.add(path);
                kept.add(removal);
            } else if (mustGo.contains(path)) {
                String reason =
                        "the host's directory holds '" + rest.get() + "', not the session's";
                conflicts.add(ApplyConflict.of(repo, path, reason));
            } else {
                notices.add(
                        "'" + path + "' stays: the host's directory holds '" + rest.get() + "'");
            }
        }
        return kept;
    }

    private Optional<String> rest(TreePath directory, Set<TreePath> gone) {
        return host.directory(directory).stream()
                .flatMap(dir -> dir.names().stream())
                .filter(name -> !gone.contains(directory.child(name)))
                .map(Names::display)
                .findFirst();
    }

    private List<Planned> openUp(
            List<Planned> removals, List<Planned> creations, Map<TreePath, Planned> last) {
        Map<TreePath, Planned> opened = new HashMap<>();
        List<Planned> ordered = new ArrayList<>();
        List<Planned> moving = new ArrayList<>(removals);
        moving.addAll(creations);
        for (Planned planned : moving) {
            TreePath parent = planned.operation().path().parent().orElseThrow();
            if (parent.isRoot() || opened.containsKey(parent)) {
                continue;
            }
            Optional<FileStatus> closed =
                    host.directory(parent)
                            .map(Dir::stat)
                            .filter(s -> (s.mode() & OWNER_ALL) != OWNER_ALL);
            if (closed.isPresent()) {
                int mode = Entry.permissions(closed.get());
                int open = mode | OWNER_ALL;
                Planned early = mode(parent, mode, open, new Memory.Unchanged());
                opened.put(parent, early);
                ordered.add(early);
                restoreLater(parent, mode, open, removals, last);
            }
        }
        return ordered;
    }

    private static void restoreLater(
            TreePath path,
            int mode,
            int open,
            List<Planned> removals,
            Map<TreePath, Planned> last) {
        boolean goes = removals.stream().anyMatch(r -> r.operation().path().equals(path));
        if (goes) {
            return;
        }
        Planned wanted = last.get(path);
        if (wanted != null && wanted.operation() instanceof Operation.ChangeMode change) {
            last.put(path, mode(path, open, change.to(), wanted.memory()));
        } else {
            last.put(path, mode(path, open, mode, new Memory.Unchanged()));
        }
    }

    private static Planned mode(TreePath path, int from, int to, Memory memory) {
        return new Planned(
                new Operation.ChangeMode(path, from, to),
                Optional.empty(),
                Optional.empty(),
                new Material.FromTree(),
                memory);
    }
}
