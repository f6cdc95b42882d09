package dev.carrel.core.apply;

import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Dir;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Turns planned operations into steps. */
final class Execution {

    /** Above this many files the kernel is asked once for all, not for each. */
    private static final int SYNC_EACH = 256;

    private final ApplyFiles files;
    private final AppliedRecord applied;
    private final List<Batch> batches;
    private final Optional<List<Undoable>> rest;
    private final Journal journal;
    private final Handles handles;
    private final List<Task> tasks = new ArrayList<>();
    private final List<Planned> planned = new ArrayList<>();

    /**
     * @param rest what an undo leaves undoable; empty for an apply, which is undoable itself
     */
    Execution(
            ApplyFiles files,
            AppliedRecord applied,
            List<Batch> batches,
            Optional<List<Undoable>> rest) {
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
        if (tasks.size() > SYNC_EACH) {
            used().forEach(repo -> steps.add(syncAll(repo)));
        }
        steps.add(new Step("record the operations", this::record));
        steps.add(
                new Step(
                        "journal: committing",
                        () -> journal.at(Journal.State.COMMITTING).save(file)));
        for (Task task : tasks) {
            steps.add(step("put", task, () -> commit(task.number())));
        }
        if (tasks.size() > SYNC_EACH) {
            used().forEach(repo -> steps.add(syncAll(repo)));
        }
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
        return new Step(
                verb + " " + repoName(task) + "/" + task.operation().path(),
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
                        isSyncedEach())
                .ifPresent(digest -> tasks.set(task.number(), task.withDigest(digest)));
    }

    private void commit(int number) {
        Task task = tasks.get(number);
        handles.commit(task.repo()).begin(task);
        if (isSyncedEach()) {
            handles.commit(task.repo()).sync();
        }
    }

    private boolean isSyncedEach() {
        return tasks.size() <= SYNC_EACH;
    }

    /** One call for all: thousands of single ones would take minutes. */
    private Step syncAll(int repo) {
        Path root = journal.repos().get(repo).root();
        return new Step(
                "sync " + batches.get(repo).repoName(),
                () -> {
                    try (Dir dir = Dir.open(root)) {
                        dir.syncFileSystem();
                    }
                });
    }

    private void record() {
        Journal.saveTasks(files.journal(), tasks.stream());
        Recording recording = new Recording(batches, tasks, planned, applied);
        List<Undoable> undoable = recording.undoable();
        new UndoStore(files).begin(rest.orElse(undoable).stream());
        recording.remember();
        applied.save(Journal.applied(files.journal()));
    }
}
