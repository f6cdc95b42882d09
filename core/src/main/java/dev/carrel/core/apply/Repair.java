package dev.carrel.core.apply;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Brings an apply that was cut short to one of its two ends. */
final class Repair {

    private final ApplyFiles files;
    private final Path file;
    private final Journal journal;

    Repair(ApplyFiles files, Journal journal) {
        this.files = files;
        this.file = files.journal();
        this.journal = journal;
    }

    Recovery run(Recovery wish) {
        Recovery end =
                switch (journal.state()) {
                    case STAGING -> Recovery.UNDONE;
                    case COMMITTING -> committing(wish);
                    case DONE -> Recovery.FINISHED;
                };
        if (end == Recovery.FINISHED) {
            journal.at(Journal.State.DONE).save(file);
            Ending ending = new Ending(files, journal);
            ending.keep();
            ending.publish();
        } else {
            new UndoStore(files).abandon();
        }
        journal.repos().forEach(Staging::remove);
        Journal.delete(file);
        return end;
    }

    private Recovery committing(Recovery wish) {
        List<Task> tasks = Journal.loadTasks(file);
        Map<Integer, Staging> stagings = new HashMap<>();
        try {
            for (Task task : tasks) {
                stagings.computeIfAbsent(
                        task.repo(), repo -> Staging.open(journal.repos().get(repo)));
            }
            return wish == Recovery.FINISHED && isFinished(tasks, stagings)
                    ? Recovery.FINISHED
                    : undo(tasks, stagings);
        } finally {
            stagings.values().forEach(Staging::close);
        }
    }

    private static boolean isFinished(List<Task> tasks, Map<Integer, Staging> stagings) {
        try {
            for (Task task : tasks) {
                try (Commit commit = new Commit(of(stagings, task))) {
                    if (!commit.isIntact(task)) {
                        return false;
                    }
                }
            }
            for (Task task : tasks) {
                try (Commit commit = new Commit(of(stagings, task))) {
                    commit.apply(task);
                }
            }
            return true;
        } catch (CarrelException inTheWay) {
            return false; // what the host has now decides: everything is undone
        }
    }

    /** From the last to the first, and as much as possible. */
    private static Recovery undo(List<Task> tasks, Map<Integer, Staging> stagings) {
        ConflictException failed = null;
        for (Task task : tasks.reversed()) {
            try (Commit commit = new Commit(of(stagings, task))) {
                commit.undo(task);
            } catch (CarrelException notUndone) {
                failed =
                        failed == null
                                ? new ConflictException(notUndone.message(), null, notUndone)
                                : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return Recovery.UNDONE;
    }

    private static Staging of(Map<Integer, Staging> stagings, Task task) {
        Staging staging = stagings.get(task.repo());
        if (staging == null) {
            throw new IllegalStateException("no staging directory for " + task);
        }
        return staging;
    }
}
