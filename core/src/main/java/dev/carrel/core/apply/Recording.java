package dev.carrel.core.apply;

import dev.carrel.core.overlay.Entry;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is remembered of operations that are about to be done. */
final class Recording {

    private final List<Batch> batches;
    private final List<Task> tasks;
    private final List<Planned> planned;
    private final AppliedRecord applied;
    private final Map<Task, Fingerprint> prints = new LinkedHashMap<>();

    /**
     * @param tasks with the digests of what is staged
     * @param planned the same operations, by number
     */
    Recording(List<Batch> batches, List<Task> tasks, List<Planned> planned, AppliedRecord applied) {
        this.batches = batches;
        this.tasks = tasks;
        this.planned = planned;
        this.applied = applied;
        for (Task task : tasks) {
            prints.put(task, print(task));
        }
    }

    private record Place(int repo, TreePath path) {}

    /** What taking all of it back needs; to be asked before {@link #remember}. */
    List<Undoable> undoable() {
        Map<Place, List<Task>> byPlace = new LinkedHashMap<>();
        for (Task task : tasks) {
            byPlace.computeIfAbsent(
                            new Place(task.repo(), task.operation().path()), _ -> new ArrayList<>())
                    .add(task);
        }
        List<Undoable> list = new ArrayList<>();
        byPlace.forEach((place, steps) -> {
            Fingerprint after = after(steps);
            Undoable.Before before = before(steps);
            String repo = batches.get(place.repo()).repoName();
            boolean asItWas =
                    before instanceof Undoable.Before.Mode(int mode)
                            && steps.getLast().operation()
                                    instanceof Operation.ChangeMode(TreePath _, int _, int to)
                            && mode == to;
            if (!asItWas) {
                list.add(
                        new Undoable(
                                repo,
                                place.path(),
                                before,
                                after,
                                applied.get(repo, place.path())));
            }
        });
        return list;
    }

    /** The first operation at a place finds what was there; removals come before creations. */
    private static Undoable.Before before(List<Task> steps) {
        for (Task task : steps) {
            switch (task.operation()) {
                case Operation.Remove _ -> {
                    return new Undoable.Before.Kept(task.number());
                }
                case Operation.RemoveDirectory remove -> {
                    return new Undoable.Before.Directory(mode(steps, remove.mode()), task.owner());
                }
                case Operation.Write write -> {
                    return written(task, write.replaces());
                }
                case Operation.Link link -> {
                    return written(task, link.replaces());
                }
                case Operation.MakeDirectory _ -> {
                    return new Undoable.Before.Nothing();
                }
                case Operation.ChangeMode _ -> {}
            }
        }
        Operation.ChangeMode first = (Operation.ChangeMode) steps.getFirst().operation();
        return new Undoable.Before.Mode(first.from());
    }

    /** A directory may have been opened up before it was removed. */
    private static int mode(List<Task> steps, int otherwise) {
        return steps.getFirst().operation() instanceof Operation.ChangeMode first
                ? first.from()
                : otherwise;
    }

    private static Undoable.Before written(Task task, boolean replaces) {
        return replaces ? new Undoable.Before.Kept(task.number()) : new Undoable.Before.Nothing();
    }

    private Fingerprint after(List<Task> steps) {
        Task last = steps.getLast();
        return prints.getOrDefault(last, Fingerprint.ABSENT);
    }

    /** Changes the record. */
    void remember() {
        for (Task task : tasks) {
            String repo = batches.get(task.repo()).repoName();
            TreePath path = task.operation().path();
            Fingerprint print = prints.getOrDefault(task, Fingerprint.ABSENT);
            switch (planned.get(task.number()).memory()) {
                case Memory.AsWritten() -> applied.remember(repo, path, Applied.asIs(print));
                case Memory.Merged(Fingerprint session) ->
                        applied.remember(
                                repo,
                                path,
                                new Applied(
                                        print, Optional.of(session).filter(p -> !p.equals(print))));
                case Memory.Exactly(Optional<Applied> known) ->
                        known.ifPresentOrElse(
                                before -> applied.remember(repo, path, before),
                                () -> applied.forget(repo, path));
                case Memory.Unchanged() -> {}
            }
        }
    }

    private Fingerprint print(Task task) {
        return switch (task.operation()) {
            case Operation.Write write ->
                    Fingerprint.file(write.mode(), task.digest().orElseThrow());
            case Operation.Link link -> Fingerprint.link(link.target());
            case Operation.MakeDirectory make -> Fingerprint.directory(make.mode());
            case Operation.Remove _, Operation.RemoveDirectory _ -> Fingerprint.ABSENT;
            case Operation.ChangeMode change -> changed(task, change);
        };
    }

    private Fingerprint changed(Task task, Operation.ChangeMode change) {
        try (HostTree host = new HostTree(batches.get(task.repo()).hostRoot())) {
            boolean isFile =
                    host.find(change.path()) instanceof HostTree.Found.Here(var entry, var _)
                            && entry instanceof Entry.RegularFile;
            if (!isFile) {
                return Fingerprint.directory(change.to());
            }
            var directory = host.directory(change.path().parent().orElseThrow()).orElseThrow();
            return Fingerprint.file(
                    change.to(), Fingerprint.digest(directory, change.path().name()));
        }
    }
}
