package dev.carrel.core.session;

import dev.carrel.core.overlay.Discards;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Throws changes of a session away. The host writes an upper layer only while it is mounted
 * nowhere, so no command may run meanwhile.
 */
final class SessionDiscard {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);

    private final HostTools tools;
    private final SessionLayout layout;
    private final SessionRecord record;
    private final SessionRuntime runtime;

    SessionDiscard(
            HostTools tools, SessionLayout layout, SessionRecord record, SessionRuntime runtime) {
        this.tools = tools;
        this.layout = layout;
        this.record = record;
        this.runtime = runtime;
    }

    /** An apply must not read layers that go: it has its lock meanwhile. */
    List<String> discard(List<String> paths) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(layout.applyLock(), "discard", LOCK_WITHIN)) {
            return now().discardLocked(paths);
        }
    }

    /** Read anew under the locks: another discard may have been first. */
    private SessionDiscard now() {
        SessionRecord now = SessionFormat.read(layout.record());
        now.requireReady();
        return new SessionDiscard(tools, layout, now, runtime);
    }

    private List<String> discardLocked(List<String> paths) throws InterruptedException {
        if (!paths.isEmpty() && runtime.runningCommands() > 0) {
            List<String> discarded = names(paths);
            new LiveRestore(tools, layout, record).restore(wanted(paths));
            return discarded;
        }
        List<String> discarded = new ArrayList<>();
        runtime.whileStopped(
                SessionRemoval.works(record, layout),
                "discard",
                () -> {
                    SessionDiscard now = now();
                    discarded.addAll(now.names(paths));
                    for (Step step : now.steps(paths)) {
                        step.run();
                    }
                });
        return discarded;
    }

    private Map<String, List<TreePath>> wanted(List<String> paths) {
        return new PathArguments(record.repos(), tools.settings().currentDirectory()).byRepo(paths);
    }

    /** Without what a killed discard has done already; a list that is empty then goes. */
    private Map<String, List<TreePath>> left(Map<String, List<TreePath>> wanted) {
        Map<String, List<TreePath>> left = new HashMap<>();
        for (RepoRecord repo : record.repos()) {
            List<TreePath> here = wanted.getOrDefault(repo.name(), List.of());
            List<TreePath> todo = Discards.left(repo.stack(layout), here);
            if (!todo.isEmpty()) {
                left.put(repo.name(), todo);
            }
        }
        return left;
    }

    private List<String> names(List<String> paths) throws InterruptedException {
        List<String> names = new ArrayList<>();
        List<RepoChanges> repos =
                new SessionChanges(tools, layout, record)
                        .changes(paths.isEmpty(), left(wanted(paths)), true);
        for (RepoChanges repo : repos) {
            String prefix = record.repos().size() > 1 ? repo.name() + "/" : "";
            repo.changeSet().listed().forEach(change -> names.add(prefix + change.path()));
        }
        return names;
    }

    /** The effects in order; after a kill anywhere a second discard finishes the work. */
    List<Step> steps(List<String> paths) {
        if (paths.isEmpty()) {
            return freshLayers();
        }
        Map<String, List<TreePath>> wanted = wanted(paths);
        List<Step> steps = new ArrayList<>();
        for (RepoRecord repo : record.repos()) {
            List<TreePath> here = wanted.getOrDefault(repo.name(), List.of());
            if (!here.isEmpty()) {
                steps.addAll(Discards.plan(repo.stack(layout), here, "discarded"));
            }
        }
        return steps;
    }

    /**
     * Everything goes by writing down that newer, empty layers are the top; the old ones are only
     * garbage then.
     */
    private List<Step> freshLayers() {
        SessionFiles files = new SessionFiles(layout, record.identity());
        List<RepoRecord> next = record.repos().stream().map(RepoRecord::nextGeneration).toList();
        List<Step> steps = new ArrayList<>();
        for (RepoRecord repo : next) {
            // What a killed discard left of the same number may not be empty.
            steps.add(
                    new Step(
                            "clear the next layer of " + repo.name(),
                            () -> delete(layout.layer(repo.name(), repo.generation()))));
            steps.add(
                    new Step(
                            "create the next layer of " + repo.name(),
                            () -> files.createGeneration(repo)));
        }
        steps.add(new Step("make the next layers the top", () -> files.write(record.with(next))));
        for (RepoRecord repo : next) {
            Path top = layout.layer(repo.name(), repo.generation());
            steps.add(new Step("delete the old layers of " + repo.name(), () -> deleteOthers(top)));
        }
        return steps;
    }

    /** A killed discard may have left more than one. */
    private static void deleteOthers(Path top) {
        for (Path layer : SessionDirectories.in(top.resolveSibling("."))) {
            if (!layer.getFileName().equals(top.getFileName())) {
                delete(layer);
            }
        }
    }

    private static void delete(Path directory) {
        Path parent = directory.getParent();
        if (parent != null && Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Trees.delete(parent, directory.getFileName().toString());
        }
    }
}
