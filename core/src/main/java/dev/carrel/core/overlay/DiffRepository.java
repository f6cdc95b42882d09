package dev.carrel.core.overlay;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.repo.FastImport;
import dev.carrel.core.repo.FileMode;
import dev.carrel.core.repo.NulList;
import dev.carrel.core.repo.ScratchGit;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Both sides of a change set as two trees in a scratch repository, for git to compare. Only what
 * changed is in them.
 */
final class DiffRepository implements AutoCloseable {

    private static final String BASE = "refs/carrel/base";
    private static final String VIEW = "refs/carrel/view";

    private final ScratchGit git;

    private DiffRepository(ScratchGit git) {
        this.git = git;
    }

    /**
     * @param prefix a directory that all paths are put into; the root for none
     * @param changes those that git can express, see {@link GitExpressible}
     */
    static DiffRepository create(
            ProcessRunner runner,
            Path scratch,
            LayerStack stack,
            List<Change> changes,
            TreePath prefix)
            throws InterruptedException {
        ScratchGit git = ScratchGit.create(runner, scratch, "sha1");
        try {
            DiffRepository repository = new DiffRepository(git);
            repository.load(stack, changes, prefix);
            return repository;
        } catch (RuntimeException | InterruptedException failed) {
            git.close();
            throw failed;
        }
    }

    private void load(LayerStack stack, List<Change> changes, TreePath prefix)
            throws InterruptedException {
        try (MergedTree base = MergedTree.base(stack).forNeighbours();
                MergedTree view = MergedTree.view(stack).forNeighbours()) {
            FastImport.run(
                    git,
                    to -> {
                        to.commit(BASE);
                        side(to, base, prefix, changes, Change::before);
                        to.commit(VIEW);
                        side(to, view, prefix, changes, Change::after);
                    });
        }
    }

    private static void side(
            FastImport to,
            MergedTree tree,
            TreePath prefix,
            List<Change> changes,
            Function<Change, Optional<Entry>> entry)
            throws IOException {
        for (Change change : changes) {
            byte[] path = join(prefix, change.path());
            Entry found = entry.apply(change).orElse(null);
            if (found instanceof Entry.RegularFile file) {
                Optional<byte[]> content = content(tree, change.path());
                if (content.isPresent()) {
                    to.file(FileMode.of(file.isExecutable()), path, content.get());
                }
            } else if (found instanceof Entry.Link(byte[] target)) {
                to.file(FileMode.LINK, path, target);
            }
        }
    }

    /** The bytes as they are now; empty where the file has gone since. */
    private static Optional<byte[]> content(MergedTree tree, TreePath path) throws IOException {
        try (InputStream in = tree.read(path)) {
            return Optional.of(in.readNBytes((int) GitExpressible.FILE_LIMIT));
        } catch (CarrelException vanished) {
            if (tree.entry(path).orElse(null) instanceof Entry.RegularFile) {
                throw vanished;
            }
            return Optional.empty();
        }
    }

    private static byte[] join(TreePath prefix, TreePath path) {
        TreePath joined = prefix;
        for (byte[] name : path.components()) {
            joined = joined.child(name);
        }
        return joined.bytes();
    }

    /** Runs {@code diff-tree} with these options and lets its output go to {@code to}. */
    void diff(List<String> options, OutputStream to) throws InterruptedException {
        Command plain = git.command(diffTree(options));
        Command command =
                plain.withStreams(
                        plain.standardInput(), new Command.Output.Piped(), plain.standardError());
        RunningProcess process = git.runner().start(command);
        try (InputStream in = process.output()) {
            in.transferTo(to);
        } catch (IOException e) {
            process.kill();
            throw new HostOperationException("cannot write the diff: " + e.getMessage(), null, e);
        }
        ProcessResult result = process.await();
        ScratchGit.requireSuccess(command, result.exit(), result);
    }

    /** Where added files came from, by their new path. */
    Map<TreePath, TreePath> renames() throws InterruptedException {
        Path list = git.directory().resolve("renames");
        Command plain = git.command(diffTree(List.of("-z", "--name-status", "--diff-filter=R")));
        git.require(
                plain.withStreams(
                        plain.standardInput(),
                        new Command.Output.File(list),
                        plain.standardError()));
        List<byte[]> words = new ArrayList<>();
        NulList.forEach(list, words::add);
        Map<TreePath, TreePath> renames = new HashMap<>();
        for (int i = 0; i + 2 < words.size(); i += 3) {
            renames.put(TreePath.ofBytes(words.get(i + 2)), TreePath.ofBytes(words.get(i + 1)));
        }
        return renames;
    }

    private static List<String> diffTree(List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("diff-tree", "-r", "-M"));
        arguments.addAll(List.of("--no-ext-diff", "--no-textconv", "--ignore-submodules=all"));
        arguments.addAll(options);
        arguments.addAll(List.of(BASE, VIEW));
        return arguments;
    }

    @Override
    public void close() {
        git.close();
    }
}
