package dev.carrel.core.overlay;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.repo.FileMode;
import dev.carrel.core.repo.NulList;
import dev.carrel.core.repo.ObjectId;
import dev.carrel.core.repo.ObjectPack;
import dev.carrel.core.repo.ScratchGit;
import dev.carrel.core.repo.TreeObjects;
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

/**
 * Both sides of a change set as two trees in a scratch repository, for git to compare. Only what
 * changed is in them.
 */
final class DiffRepository implements AutoCloseable {

    private final ScratchGit git;
    private final ObjectId base;
    private final ObjectId view;

    /** The two trees. */
    private record Sides(ObjectId base, ObjectId view) {}

    private DiffRepository(ScratchGit git, Sides sides) {
        this.git = git;
        this.base = sides.base();
        this.view = sides.view();
    }

    /**
     * The changes of one repository of a session.
     *
     * @param changes those that git can express, see {@link GitExpressible}
     * @param prefix a directory that all paths are put into; the root for none
     */
    record Part(LayerStack stack, List<Change> changes, TreePath prefix) {
        Part {
            changes = List.copyOf(changes);
        }
    }

    static DiffRepository create(ProcessRunner runner, Path scratch, List<Part> parts) {
        ScratchGit git = ScratchGit.create(runner, scratch, "sha1");
        try {
            return new DiffRepository(git, ObjectPack.write(git, to -> load(parts, to)));
        } catch (RuntimeException failed) {
            git.close();
            throw failed;
        }
    }

    private static Sides load(List<Part> parts, ObjectPack to) throws IOException {
        TreeObjects before = new TreeObjects();
        TreeObjects after = new TreeObjects();
        for (Part part : parts) {
            try (MergedTree base = MergedTree.base(part.stack()).forNeighbours();
                    MergedTree view = MergedTree.view(part.stack()).forNeighbours()) {
                for (Change change : part.changes()) {
                    add(change.before(), part.prefix(), change.path(), base, to, before);
                    add(change.after(), part.prefix(), change.path(), view, to, after);
                }
            }
        }
        return new Sides(before.write(to), after.write(to));
    }

    private static void add(
            Optional<Entry> entry,
            TreePath prefix,
            TreePath path,
            MergedTree from,
            ObjectPack to,
            TreeObjects tree)
            throws IOException {
        Entry found = entry.orElse(null);
        if (found instanceof Entry.RegularFile file) {
            Optional<byte[]> content = content(from, path);
            if (content.isPresent()) {
                FileMode mode = FileMode.of(file.isExecutable());
                tree.add(join(prefix, path), mode, to.blob(content.get()));
            }
        } else if (found instanceof Entry.Link(byte[] target)) {
            tree.add(join(prefix, path), FileMode.LINK, to.blob(target));
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

    private static TreePath join(TreePath prefix, TreePath path) {
        if (prefix.isRoot()) {
            return path;
        }
        TreePath joined = prefix;
        for (byte[] name : path.components()) {
            joined = joined.child(name);
        }
        return joined;
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

    private List<String> diffTree(List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("diff-tree", "-r", "-M"));
        arguments.addAll(List.of("--no-ext-diff", "--no-textconv", "--ignore-submodules=all"));
        arguments.addAll(options);
        arguments.addAll(List.of(base.toString(), view.toString()));
        return arguments;
    }

    @Override
    public void close() {
        git.close();
    }
}
