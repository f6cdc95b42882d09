package dev.carrel.core.session;

import dev.carrel.core.apply.Applies;
import dev.carrel.core.apply.ApplyConflict;
import dev.carrel.core.apply.ApplyFiles;
import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.apply.ApplyRequest;
import dev.carrel.core.apply.ApplyTarget;
import dev.carrel.core.apply.ConflictFiles;
import dev.carrel.core.apply.MergeTool;
import dev.carrel.core.apply.UndoRequest;
import dev.carrel.core.apply.Undos;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Takes a session's changes to the host, and back. */
final class SessionApply {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);

    private final HostTools tools;
    private final SessionLayout layout;
    private final SessionRecord record;

    SessionApply(HostTools tools, SessionLayout layout, SessionRecord record) {
        this.tools = tools;
        this.layout = layout;
        this.record = record;
    }

    /** Where applies of a session keep their own files. */
    static ApplyFiles files(SessionLayout layout) {
        return new ApplyFiles(
                layout.applyJournal(),
                layout.applied(),
                layout.undo(),
                layout.ancestors(),
                layout.conflicts());
    }

    ApplyPlan plan(ApplyChoice choice) throws InterruptedException {
        return plan(request(choice));
    }

    ApplyPlan apply(ApplyChoice choice, Consumer<ApplyPlan> announce) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(layout.applyLock(), "apply", LOCK_WITHIN)) {
            return now().applyLocked(choice, announce);
        }
    }

    private ApplyPlan applyLocked(ApplyChoice choice, Consumer<ApplyPlan> announce)
            throws InterruptedException {
        Applies.recover(files(layout));
        ApplyRequest request = request(choice);
        return carryOut(ConflictFiles.write(request, plan(request)), announce);
    }

    private ApplyPlan carryOut(ApplyPlan plan, Consumer<ApplyPlan> announce)
            throws InterruptedException {
        announce.accept(plan);
        if (plan.isRefused()) {
            throw refused(plan.conflicts());
        }
        Applies.run(files(layout), plan);
        return plan;
    }

    private ApplyPlan plan(ApplyRequest request) throws InterruptedException {
        return writable(Applies.plan(request));
    }

    private ApplyPlan writable(ApplyPlan plan) {
        if (!plan.isRefused()) {
            HostPlaces.requireWritable(record.repos(), plan, record.id(), Files::isWritable);
        }
        return plan;
    }

    /** Read anew under the lock: a discard may have exchanged the layers. */
    private SessionApply now() {
        SessionRecord now = SessionFormat.read(layout.record());
        now.requireReady();
        return new SessionApply(tools, layout, now);
    }

    ApplyPlan planUndo(boolean partial) {
        requireRepositories();
        Map<String, Path> roots = new LinkedHashMap<>();
        for (RepoRecord repo : record.repos()) {
            HostPlaces.requireCheckout(repo, record);
            roots.put(repo.name(), repo.root());
        }
        return writable(Undos.plan(new UndoRequest(roots, partial, files(layout))));
    }

    ApplyPlan undo(boolean partial, Consumer<ApplyPlan> announce) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(layout.applyLock(), "undo", LOCK_WITHIN)) {
            SessionApply now = now();
            Applies.recover(files(layout));
            return now.carryOut(now.planUndo(partial), announce);
        }
    }

    /** Finishes or undoes an apply that was killed; nothing happens while one is at work. */
    void recover() {
        if (Applies.isUnfinished(layout.applyJournal())) {
            Optional<Locks.Held> lock = Locks.tryAcquire(layout.applyLock(), "repair");
            if (lock.isPresent()) {
                try (Locks.Held _ = lock.get()) {
                    Applies.recover(files(layout));
                }
            }
        }
    }

    private static ConflictException refused(List<ApplyConflict> conflicts) {
        StringBuilder text = new StringBuilder("nothing was written: the host changed meanwhile");
        conflicts.forEach(conflict -> text.append("\n  ").append(conflict));
        return new ConflictException(
                text.toString(),
                "Look at the versions, then take the rest by --partial, or name the paths to take.");
    }

    /** What was written to a scratch layer is of the session alone. */
    private void requireRepositories() {
        switch (record.policy().view()) {
            case ViewMode.Overlay() -> {}
            case ViewMode.HostReadonly _ ->
                    throw new ConflictException(
                            "session "
                                    + record.id()
                                    + " shows the host read-only (mode: host_readonly): what it"
                                    + " wrote goes with it and is not applied",
                            "carrel diff "
                                    + record.id()
                                    + " shows it, as a patch that git apply takes.");
        }
    }

    private ApplyRequest request(ApplyChoice choice) {
        requireRepositories();
        Map<String, List<TreePath>> wanted =
                new PathArguments(record.repos(), tools.settings().currentDirectory())
                        .byRepo(choice.paths());
        List<ApplyTarget> targets = new ArrayList<>();
        for (RepoRecord repo : record.repos()) {
            if (choice.paths().isEmpty() || wanted.containsKey(repo.name())) {
                targets.add(target(repo, wanted.getOrDefault(repo.name(), List.of())));
            }
        }
        return new ApplyRequest(
                targets,
                choice.includeIgnored(),
                choice.partial(),
                files(layout),
                new MergeTool(tools.runner(), layout.run()));
    }

    private ApplyTarget target(RepoRecord repo, List<TreePath> paths) {
        HostPlaces.requireCheckout(repo, record);
        return new ApplyTarget(
                repo.name(),
                repo.root(),
                repo.stack(layout),
                IgnoreRules.of(tools.runner(), layout.run(), repo),
                paths,
                HostComparison.modes(repo),
                HostComparison.record(repo));
    }
}
