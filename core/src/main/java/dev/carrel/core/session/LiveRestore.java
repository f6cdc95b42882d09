package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.DiscardNote;
import dev.carrel.core.overlay.RestoreTree;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Restores paths of a session in which commands run. Everything that touches the layers happens
 * inside, by commands that join: the host only lays the base's version out and packs it.
 */
final class LiveRestore {

    private static final String SCRATCH = "restore-";

    private final HostTools tools;
    private final SessionLayout layout;
    private final SessionRecord record;

    /** Its own each time: a program of a killed discard may still write its archive. */
    private final Path scratch;

    LiveRestore(HostTools tools, SessionLayout layout, SessionRecord record) {
        this.tools = tools;
        this.layout = layout;
        this.record = record;
        this.scratch = layout.run().resolve(SCRATCH + UUID.randomUUID());
    }

    void restore(Map<String, List<TreePath>> paths) throws InterruptedException {
        try {
            for (Step step : steps(paths)) {
                step.run();
            }
        } finally {
            clear();
        }
    }

    /**
     * The effects in order. A kill between the removal and the unpacking leaves the paths removed,
     * as a change like any other; a second discard restores them.
     */
    List<Step> steps(Map<String, List<TreePath>> paths) {
        List<Step> steps = new ArrayList<>();
        for (RepoRecord repo : record.repos()) {
            List<TreePath> here = paths.getOrDefault(repo.name(), List.of());
            if (!here.isEmpty()) {
                steps.addAll(steps(repo, here));
            }
        }
        return steps;
    }

    private List<Step> steps(RepoRecord repo, List<TreePath> paths) {
        DiscardNote note = DiscardNote.of(repo.stack(layout));
        return List.of(
                new Step("note the paths", () -> note.write(paths)),
                new Step("lay the base's version out", () -> stage(repo, paths)),
                new Step("pack it", this::pack),
                new Step(
                        "remove the session's version",
                        () -> inside(repo, names(paths), "xargs -0 rm -rf --")),
                new Step(
                        "unpack the base's version",
                        () ->
                                inside(
                                        repo,
                                        new Command.Input.File(archive()),
                                        "tar -xpf - --no-same-owner --no-overwrite-dir")),
                new Step("delete the copy", this::clear),
                new Step("forget the paths", note::remove));
    }

    private Path tree() {
        return scratch.resolve("tree");
    }

    private Path archive() {
        return scratch.resolve("tree.tar");
    }

    /** Whoever discards has a lock, so that others of the name were left by kills. */
    private void clear() {
        for (Path entry : SessionDirectories.in(layout.run())) {
            String name = entry.getFileName().toString();
            if (name.startsWith(SCRATCH)) {
                Trees.delete(layout.run(), name);
            }
        }
    }

    private void stage(RepoRecord repo, List<TreePath> paths) {
        clear();
        layout.createPrivate(scratch);
        layout.createPrivate(tree());
        RestoreTree.stage(repo.stack(layout), paths, tree());
    }

    private void pack() throws InterruptedException {
        check(
                tools.runner()
                        .run(
                                Command.of(
                                        "tar",
                                        "-C",
                                        tree().toString(),
                                        "-cf",
                                        archive().toString(),
                                        ".")));
    }

    private void inside(RepoRecord repo, Command.Input input, String script)
            throws InterruptedException {
        check(
                new SessionCommands(tools, layout, record)
                        .runInternally(repo, List.of("sh", "-c", script), input));
    }

    private static void check(ProcessResult result) {
        if (!result.succeeded()) {
            throw new HostOperationException(
                    "the base's version could not be restored: " + result.errorText());
        }
    }

    /** Each begins with a dot and a slash, so that none looks like an option. */
    private static Command.Input names(List<TreePath> paths) {
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (TreePath path : paths) {
            names.write('.');
            names.write('/');
            names.writeBytes(path.bytes());
            names.write(0);
        }
        return new Command.Input.Bytes(names.toByteArray());
    }
}
