package dev.carrel.core.session;

import dev.carrel.core.apply.Applies;
import dev.carrel.core.apply.ApplyConflict;
import dev.carrel.core.apply.ApplyFiles;
import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.apply.ApplyRequest;
import dev.carrel.core.apply.ApplyTarget;
import dev.carrel.core.apply.MergeTool;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.overlay.ChangeSet;
import dev.carrel.core.overlay.ChangeSets;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.overlay.DiffPrinter;
import dev.carrel.core.overlay.Limits;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.repo.Repos;
import dev.carrel.core.session.SessionSummary.RepoSummary;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a session changed, and taking it. */
final class SessionChanges {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);

    private final HostTools tools;
    private final SessionLayout layout;
    private final SessionRecord record;

    SessionChanges(HostTools tools, SessionLayout layout, SessionRecord record) {
        this.tools = tools;
        this.layout = layout;
        this.record = record;
    }

    List<RepoChanges> changes(List<String> paths, boolean includeIgnored)
            throws InterruptedException {
        return changes(paths.isEmpty(), wanted(paths), includeIgnored);
    }

    /**
     * The changes at or below some paths of each repository.
     *
     * @param everything whether the paths are none and all is meant
     */
    List<RepoChanges> changes(
            boolean everything, Map<String, List<TreePath>> wanted, boolean includeIgnored)
            throws InterruptedException {
        List<RepoChanges> all = new ArrayList<>();
        for (RepoRecord repo : record.repos()) {
            // All of them, so that a session of several shows its paths alike whatever is asked.
            boolean asked = everything || wanted.containsKey(repo.name());
            ChangeSet changes =
                    asked
                            ? select(repo, wanted.getOrDefault(repo.name(), List.of()))
                            : new ChangeSet(List.of(), List.of(), true);
            all.add(
                    new RepoChanges(
                            repo.name(),
                            repo.stack(layout),
                            includeIgnored ? changes : changes.withoutIgnored()));
        }
        return all;
    }

    private ChangeSet select(RepoRecord repo, List<TreePath> paths) throws InterruptedException {
        return ChangeSets.select(
                repo.stack(layout),
                IgnoreRules.of(tools.runner(), layout.run(), repo),
                paths,
                Limits.STANDARD);
    }

    private Map<String, List<TreePath>> wanted(List<String> paths) {
        return new PathArguments(record.repos(), tools.settings().currentDirectory()).byRepo(paths);
    }

    void print(
            List<String> paths,
            boolean includeIgnored,
            DiffFormat format,
            boolean colour,
            OutputStream out)
            throws InterruptedException {
        new DiffPrinter(tools.runner(), layout.run())
                .print(changes(paths, includeIgnored), format, colour, out);
    }

    ApplyPlan planApply(List<String> paths, boolean includeIgnored) throws InterruptedException {
        return plan(request(paths, includeIgnored));
    }

    ApplyPlan apply(List<String> paths, boolean includeIgnored) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(layout.applyLock(), "apply", LOCK_WITHIN)) {
            // Read anew under the lock: a discard may have exchanged the layers.
            SessionRecord now = SessionFormat.read(layout.record());
            now.requireReady();
            return new SessionChanges(tools, layout, now).applyLocked(paths, includeIgnored);
        }
    }

    private ApplyPlan applyLocked(List<String> paths, boolean includeIgnored)
            throws InterruptedException {
        Applies.recover(files());
        ApplyRequest request = request(paths, includeIgnored);
        ApplyPlan plan = plan(request);
        if (!plan.conflicts().isEmpty()) {
            throw refused(plan.conflicts());
        }
        Applies.run(files(), plan);
        return plan;
    }

    private ApplyPlan plan(ApplyRequest request) throws InterruptedException {
        ApplyPlan plan = Applies.plan(request);
        if (plan.conflicts().isEmpty()) {
            HostPlaces.requireWritable(record.repos(), plan, record.id(), Files::isWritable);
        }
        return plan;
    }

    /** Finishes or undoes an apply that was killed; nothing happens while one is at work. */
    void recover() {
        if (Applies.isUnfinished(layout.applyJournal())) {
            Optional<Locks.Held> lock = Locks.tryAcquire(layout.applyLock(), "repair");
            if (lock.isPresent()) {
                try (Locks.Held _ = lock.get()) {
                    Applies.recover(files());
                }
            }
        }
    }

    private static ConflictException refused(List<ApplyConflict> conflicts) {
        StringBuilder text =
                new StringBuilder("nothing was applied: the host changed where the session did");
        conflicts.forEach(conflict -> text.append("\n  ").append(conflict));
        return new ConflictException(
                text.toString(),
                "Look at both sides, then apply the other paths by naming them, or discard these.");
    }

    private ApplyRequest request(List<String> paths, boolean includeIgnored) {
        Map<String, List<TreePath>> wanted = wanted(paths);
        List<ApplyTarget> targets = new ArrayList<>();
        for (RepoRecord repo : record.repos()) {
            if (paths.isEmpty() || wanted.containsKey(repo.name())) {
                targets.add(target(repo, wanted.getOrDefault(repo.name(), List.of())));
            }
        }
        return new ApplyRequest(
                targets,
                includeIgnored,
                false,
                files(),
                new MergeTool(tools.runner(), layout.run()));
    }

    private ApplyFiles files() {
        return new ApplyFiles(
                layout.applyJournal(),
                layout.applied(),
                layout.undo(),
                layout.ancestors(),
                layout.conflicts());
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

    SessionSummary summary(int running) throws InterruptedException {
        int changes = 0;
        List<RepoSummary> repos = new ArrayList<>();
        // A session that is being made or removed has no layers to rely on.
        for (RepoChanges repo :
                record.isReady() ? changes(List.of(), false) : List.<RepoChanges>of()) {
            changes += repo.changeSet().listed().size();
        }
        for (RepoRecord repo : record.repos()) {
            repos.add(
                    new RepoSummary(
                            repo.name(),
                            repo.root(),
                            repo.kind(),
                            repo.base().commit(),
                            baseMoved(repo)));
        }
        Instant lastUsed = Summaries.modified(layout.lastUsed());
        return new SessionSummary(
                record.id(),
                record.name(),
                repos,
                record.created(),
                lastUsed,
                Optional.of(Sweep.expiry(lastUsed, tools.settings().retention())),
                record.isReady() ? Trees.diskUsage(layout.directory()) : 0,
                changes,
                state(running));
    }

    private SessionState state(int running) {
        if (record.isInterrupted()) {
            return SessionState.INTERRUPTED;
        }
        if (!record.isReady()) {
            return SessionState.BUSY;
        }
        return running > 0 ? SessionState.RUNNING : SessionState.STOPPED;
    }

    private boolean baseMoved(RepoRecord repo) throws InterruptedException {
        Optional<String> pinned = repo.base().commit();
        if (pinned.isEmpty()) {
            return false;
        }
        try {
            Path root = repo.root();
            Identity identity = record.identity();
            Repo now =
                    new Repos(tools.runner(), tools.settings().environment())
                            .open(Optional.of(repo.name()), root, identity);
            return !(now instanceof Repo.Git git && git.commit().equals(pinned));
        } catch (CarrelException e) {
            // The checkout is gone or no longer a repository.
            return true;
        }
    }
}
