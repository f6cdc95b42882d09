package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.RestoreTree;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Restores paths of a session in which commands run. Everything that touches the layers happens
 * inside, by commands that join: the host only lays the base's version out and packs it.
 */
final class LiveRestore {

    private final HostTools tools;
    private final SessionLayout layout;
    private final SessionRecord record;

    LiveRestore(HostTools tools, SessionLayout layout, SessionRecord record) {
        this.tools = tools;
        this.layout = layout;
        this.record = record;
    }

    void restore(Map<String, List<TreePath>> paths) throws InterruptedException {
        for (RepoRecord repo : record.repos()) {
            List<TreePath> here = paths.getOrDefault(repo.name(), List.of());
            if (!here.isEmpty()) {
                restore(repo, here);
            }
        }
    }

    private void restore(RepoRecord repo, List<TreePath> paths) throws InterruptedException {
        String name = "restore-" + UUID.randomUUID();
        Path scratch = layout.run().resolve(name);
        try {
            layout.createPrivate(scratch);
            Path staging = scratch.resolve("tree");
            layout.createPrivate(staging);
            RestoreTree tree = RestoreTree.stage(repo.stack(layout), paths, staging);
            Path archive = scratch.resolve("tree.tar");
            check(
                    tools.runner()
                            .run(
                                    Command.of(
                                            "tar",
                                            "-C",
                                            tree.tree().toString(),
                                            "-cf",
                                            archive.toString(),
                                            ".")));
            inside(repo, new Command.Input.Bytes(names(tree.paths())), "xargs -0 rm -rf --");
            inside(
                    repo,
                    new Command.Input.File(archive),
                    "tar -xpf - --no-same-owner --no-overwrite-dir");
        } finally {
            Trees.delete(layout.run(), name);
        }
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
    private static byte[] names(List<TreePath> paths) {
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (TreePath path : paths) {
            names.write('.');
            names.write('/');
            names.writeBytes(path.bytes());
            names.write(0);
        }
        return names.toByteArray();
    }
}
