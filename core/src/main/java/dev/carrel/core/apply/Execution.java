package dev.carrel.core.apply;

import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Durability;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Turns planned operations into steps. */
final class Execution {

    private final ApplyFiles files;
    private final AppliedRecord applied;
    private final List<Batch> batches;
    private final Optional<List<Undoable>> rest;
    private final Journal journal;
    private final Handles handles;
    private final Syncing syncing;
    private final List<Task> tasks = new ArrayList<>();
    private final List<Planned> planned = new ArrayList<>();

    /**
     * @param rest what an undo leaves undoable; empty for an apply, which is undoable itself
     * @param syncing how so many files are brought to disk
     */
    Execution(
            ApplyFiles files,
            AppliedRecord applied,
            List<Batch> batches,
            Optional<List<Undoable>> rest,
            IntFunction<Syncing> syncing) {
        this.files = files;
        this.applied = applied;
        this.batches = batches;
        this.rest = rest;
        List<Journal.Place> places = new ArrayList<>();
        for (Batch batch : batches) {
            for (Planned each : batch.operations()) {
                tasks.add(
                        new Task(
                                tasks.size(),
                                places.size(),
                                each.operation(),
                                each.present().map(Task::identity),
                                each.owner(),
                                Optional.empty()));
                planned.add(each);
            }
            places.add(new Journal.Place(batch.hostRoot(), ".carrel-apply-" + randomName()));
        }
        this.journal = new Journal(Journal.State.STAGING, places, rest.isEmpty());
        this.handles = new Handles(batches, journal);
        this.syncing = syncing.apply(tasks.size());
    }

    private static String randomName() {
        byte[] random = new byte[6];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        Path file = files.journal();
        steps.add(new Step("journal: staging", () -> journal.save(file)));
        for (int repo : used()) {
            Journal.Place place = journal.repos().get(repo);
            steps.add(new Step("make " + place.staging(), () -> Staging.create(place)));
        }
        for (Task task : tasks) {
            if (task.isStaged()) {
                steps.add(step("stage", task, () -> stage(task)));
            }
        }
        steps.add(step("record the operations", this::record));
        steps.add(step("sync what is staged", this::syncStaged));
        steps.add(
                new Step(
                        "journal: committing",
                        () -> journal.at(Journal.State.COMMITTING).save(file)));
        for (Task task : tasks) {
            steps.add(step("put", task, () -> commit(task.number())));
        }
        steps.add(step("sync what is in place", this::syncPlaces));
        steps.add(
                new Step(
                        "journal: done",
                        () -> {
                            handles.close();
                            journal.at(Journal.State.DONE).save(file);
                        }));
        steps.addAll(ending());
        return steps;
    }

    /** What a later process can do as well, once the host is as wanted. */
    private List<Step> ending() {
        Ending ending = new Ending(files, journal);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step("keep what was replaced", ending::keep));
        steps.add(new Step("remember what was applied", ending::publish));
        for (int repo : used()) {
            Journal.Place place = journal.repos().get(repo);
            steps.add(new Step("remove " + place.staging(), () -> Staging.remove(place)));
        }
        steps.add(new Step("remove the journal", () -> Journal.delete(files.journal())));
        return steps;
    }

    private List<Integer> used() {
        return tasks.stream().map(Task::repo).distinct().toList();
    }

    private Step step(String verb, Task task, Step.Action action) {
        return step(verb + " " + repoName(task) + "/" + task.operation().path(), action);
    }

    private Step step(String name, Step.Action action) {
        return new Step(
                name,
                () -> {
                    try {
                        action.run();
                    } catch (RuntimeException | InterruptedException failed) {
                        handles.close();
                        throw failed;
                    }
                });
    }

    private String repoName(Task task) {
        return batches.get(task.repo()).repoName();
    }

    private void stage(Task task) {
        handles.commit(task.repo())
                .staging()
                .prepare(
                        task,
                        planned.get(task.number()).material(),
                        handles.contents(task.repo()),
                        syncing == Syncing.EACH)
                .ifPresent(digest -> tasks.set(task.number(), task.withDigest(digest)));
    }

    private void commit(int number) {
        Task task = tasks.get(number);
        handles.commit(task.repo()).begin(task);
    }

    /** All of it, and the lists, before the journal tells a later process to rely on it. */
    private void syncStaged() {
        List<Path> roots = roots();
        switch (syncing) {
            case TOGETHER -> {
                roots.add(files.journal().resolveSibling("."));
                syncFileSystems(roots);
            }
            case EACH -> used().forEach(repo -> handles.commit(repo).staging().fresh().sync());
        }
    }

    /** The new names; in which order they get to disk does not matter until the journal is done. */
    private void syncPlaces() {
        switch (syncing) {
            case TOGETHER -> syncFileSystems(roots());
            case EACH ->
                    tasks.stream()
                            .map(task -> new Parent(task.repo(), task.operation().path()))
                            .distinct()
                            .forEach(this::sync);
        }
    }

    /** Where something has another name now. */
    private record Parent(int repo, TreePath path) {
        Parent {
            path = path.parent().orElseThrow();
        }
    }

    private void sync(Parent parent) {
        Optional<Dir> found = handles.commit(parent.repo()).staging().root().walk(parent.path());
        // What was removed is synced by the directory that had it.
        if (found.isPresent()) {
            try (Dir dir = found.get()) {
                dir.sync();
            }
        }
    }

    private List<Path> roots() {
        return used().stream()
                .map(repo -> journal.repos().get(repo).root())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static void syncFileSystems(List<Path> directories) {
        Set<Long> synced = new HashSet<>();
        for (Path directory : directories) {
            try (Dir dir = Dir.open(directory)) {
                if (synced.add(dir.stat().deviceId())) {
                    dir.syncFileSystem();
                }
            }
        }
    }

    private void record() {
        Durability durability =
                switch (syncing) {
                    case EACH -> Durability.SYNCED;
                    case TOGETHER -> Durability.EVENTUAL;
                };
        Journal.saveTasks(files.journal(), tasks.stream(), durability);
        Recording recording = new Recording(batches, tasks, planned, applied);
        List<Undoable> undoable = recording.undoable();
        new UndoStore(files).begin(rest.orElse(undoable).stream(), durability);
        recording.remember();
        applied.save(Journal.applied(files.journal()), durability);
    }
}
