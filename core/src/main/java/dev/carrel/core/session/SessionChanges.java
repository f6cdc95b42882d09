package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
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
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a session changed. */
final class SessionChanges {

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

    List<String> patch(List<String> paths, boolean includeIgnored, OutputStream to)
            throws InterruptedException {
        return new DiffPrinter(tools.runner(), layout.run())
                .patch(changes(paths, includeIgnored), to);
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
                            repo.kind().toString(),
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
                state(running),
                record.policy().limits());
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
