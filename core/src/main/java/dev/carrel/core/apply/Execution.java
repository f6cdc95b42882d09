package dev.carrel.core.apply;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns planned operations into steps. */
final class Execution {

    /** Above this many files the kernel is asked once for all, not for each. */
    private static final int SYNC_EACH = 256;

    private final ApplyRequest request;
    private final AppliedRecord applied;
    private final Journal journal;
    private final Handles handles;
    private final List<Task> tasks = new ArrayList<>();
    private final List<Boolean> remember = new ArrayList<>();

    Execution(ApplyRequest request, AppliedRecord applied, List<List<Planned>> operations) {
        this.request = request;
        this.applied = applied;
        List<Journal.Place> places = new ArrayList<>();
        for (int repo = 0; repo < operations.size(); repo++) {
            places.add(
                    new Journal.Place(
                            request.targets().get(repo).hostRoot(),
                            ".carrel-apply-" + randomName()));
            for (Planned planned : operations.get(repo)) {
                tasks.add(
                        new Task(
                                tasks.size(),
                                repo,
                                planned.operation(),
                                planned.present().map(Task::identity),
                                planned.owner(),
                                Optional.empty()));
                remember.add(planned.remember());
            }
        }
        this.journal = new Journal(Journal.State.STAGING, places);
        this.handles = new Handles(request.targets(), journal);
    }

    private static String randomName() {
        byte[] random = new byte[6];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        Path file = request.journal();
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
        steps.add(new Step("remember what was applied", () -> publish(request)));
        for (int repo : used()) {
            Journal.Place place = journal.repos().get(repo);
            steps.add(new Step("remove " + place.staging(), () -> Staging.remove(place)));
        }
        steps.add(new Step("remove the journal", () -> Journal.delete(file)));
        return steps;
    }

    private List<Integer> used() {
        return tasks.stream().map(Task::repo).distinct().toList();
    }

    private Step step(String verb, Task task, Step.Action action) {
        String repo = request.targets().get(task.repo()).repoName();
        return new Step(
                verb + " " + repo + "/" + task.operation().path(),
                () -> {
                    try {
                        action.run();
                    } catch (RuntimeException | InterruptedException failed) {
                        handles.close();
                        throw failed;
                    }
                });
    }

    private void stage(Task task) {
        Operation.Source source =
                task.operation() instanceof Operation.Write write
                        ? write.source()
                        : Operation.Source.VIEW;
        handles.commit(task.repo())
                .staging()
                .prepare(task, handles.source(task.repo(), source), isSyncedEach())
                .ifPresent(digest -> tasks.set(task.number(), task.withDigest(digest)));
    }

    private void commit(int number) {
        Task task = tasks.get(number);
        handles.commit(task.repo()).apply(task);
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
                "sync " + request.targets().get(repo).repoName(),
                () -> {
                    try (Dir dir = Dir.open(root)) {
                        dir.syncFileSystem();
                    }
                });
    }

    private void record() {
        Journal.saveTasks(request.journal(), tasks.stream());
        for (Task task : tasks) {
            String repo = request.targets().get(task.repo()).repoName();
            if (remember.get(task.number())) {
                fingerprint(task)
                        .ifPresent(print -> applied.remember(repo, task.operation().path(), print));
            } else {
                applied.forget(repo, task.operation().path());
            }
        }
        applied.save(Journal.applied(request.journal()));
    }

    private Optional<Fingerprint> fingerprint(Task task) {
        return Optional.of(
                switch (task.operation()) {
                    case Operation.Write write ->
                            Fingerprint.file(write.mode(), task.digest().orElseThrow());
                    case Operation.Link link -> Fingerprint.link(link.target());
                    case Operation.MakeDirectory make -> Fingerprint.directory(make.mode());
                    case Operation.Remove _, Operation.RemoveDirectory _ -> Fingerprint.ABSENT;
                    case Operation.ChangeMode change -> changed(task, change);
                });
    }

    private Fingerprint changed(Task task, Operation.ChangeMode change) {
        try (HostTree host = new HostTree(journal.repos().get(task.repo()).root())) {
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

    /** Makes the new record the valid one; nothing happens where that was done. */
    static void publish(ApplyRequest request) {
        publish(request.journal(), request.applied());
    }

    static void publish(Path journal, Path applied) {
        Path next = Journal.applied(journal);
        if (!Files.exists(next)) {
            return;
        }
        try {
            Files.move(next, applied, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot write " + applied + ": " + e.getMessage(), null, e);
        }
    }

    /** Applies what is to be remembered without any operation. */
    static void settle(
            AppliedRecord applied, String repo, Map<TreePath, Optional<Fingerprint>> settled) {
        settled.forEach((path, print) ->
                print.ifPresentOrElse(
                        known -> applied.remember(repo, path, known),
                        () -> applied.forget(repo, path)));
    }
}
