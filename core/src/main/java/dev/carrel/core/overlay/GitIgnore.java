package dev.carrel.core.overlay;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.NulList;
import dev.carrel.core.repo.ScratchGit;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The ignore rules of a git repository, judged by git itself on a skeleton of ours: a work tree
 * that holds the {@code .gitignore} files of the view and nothing else, and an empty repository.
 */
public final class GitIgnore implements IgnoreFilter {

    private static final int RULES_LIMIT = 1 << 20;
    private static final int LONGEST_PATH = 3800; // git resolves it below the skeleton's own path
    private static final String NAME = ".gitignore";

    private final ProcessRunner runner;
    private final Path scratch;
    private final Rules rules;

    /**
     * @param scratch a directory of ours; a temporary one is made in it for each look
     */
    @SuppressWarnings("exports") // called by the session package only
    public GitIgnore(ProcessRunner runner, Path scratch, Rules rules) {
        this.runner = runner;
        this.scratch = scratch;
        this.rules = rules;
    }

    /**
     * What counts besides the {@code .gitignore} files of the view. All are files that no sandbox
     * could write; missing ones are empty.
     *
     * @param index a git index of the base: what it tracks is never ignored
     * @param checkout a directory with what that index was made of: all its files are tracked
     * @param exclude the repository's own {@code info/exclude}
     * @param userExcludes the user's {@code core.excludesFile}
     * @param objectFormat of the index: {@code sha1} or {@code sha256}
     */
    public record Rules(
            Optional<Path> index,
            Optional<Path> checkout,
            Optional<Path> exclude,
            Optional<Path> userExcludes,
            String objectFormat) {}

    @Override
    public Set<TreePath> ignored(MergedTree view, List<Change> changes)
            throws InterruptedException {
        if (changes.isEmpty()) {
            return Set.of();
        }
        Checkout checkout = checkout(changes);
        if (checkout.others().isEmpty()) {
            return Set.of();
        }
        try (ScratchGit git = ScratchGit.create(runner, scratch, rules.objectFormat())) {
            Set<TreePath> tracked = checkout.mayHoldMore() ? tracked(git) : Set.of();
            List<Change> candidates =
                    checkout.others().stream()
                            .filter(change -> !tracked.contains(change.path()))
                            .filter(change -> change.path().bytes().length < LONGEST_PATH)
                            .toList();
            return candidates.isEmpty() ? Set.of() : judged(git, view, candidates);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot prepare the ignore rules in " + scratch + ": " + e.getMessage(),
                    null,
                    e);
        }
    }

    /**
     * What the checkout tells without git.
     *
     * @param others changes that are not of a file in it
     * @param mayHoldMore whether one of them may be tracked all the same, as a submodule is
     */
    private record Checkout(List<Change> others, boolean mayHoldMore) {}

    private Checkout checkout(List<Change> changes) {
        if (rules.checkout().isEmpty()) {
            return new Checkout(changes, true);
        }
        List<Change> others = new ArrayList<>();
        boolean mayHoldMore = false;
        try (MergedTree tree = MergedTree.plain(rules.checkout().get()).forNeighbours()) {
            for (Change change : changes) {
                Optional<FileStatus> found =
                        change.before().isEmpty() ? Optional.empty() : tree.status(change.path());
                if (found.filter(s -> s.type() != FileType.DIRECTORY).isEmpty()) {
                    others.add(change);
                    mayHoldMore |= found.isPresent();
                }
            }
        }
        return new Checkout(others, mayHoldMore);
    }

    private Set<TreePath> tracked(ScratchGit git) throws InterruptedException {
        Set<TreePath> tracked = new HashSet<>();
        if (rules.index().isPresent()) {
            Path list = git.directory().resolve("tracked");
            Command command =
                    git.command(List.of("ls-files", "-z", "--cached"))
                            .withVariable("GIT_INDEX_FILE", rules.index().get().toString());
            git.require(
                    command.withStreams(
                            command.standardInput(),
                            new Command.Output.File(list),
                            command.standardError()));
            NulList.forEach(list, path -> tracked.add(TreePath.ofBytes(path)));
        }
        return tracked;
    }

    private Set<TreePath> judged(ScratchGit git, MergedTree view, List<Change> candidates)
            throws InterruptedException, IOException {
        Path tree = Files.createDirectory(git.directory().resolve("tree"));
        Path info = git.repository().resolve("info");
        if (!Files.isDirectory(info)) {
            Files.createDirectory(info);
        }
        copyRules(rules.exclude(), info.resolve("exclude"));
        Path userRules = git.directory().resolve("excludes");
        copyRules(rules.userExcludes(), userRules);
        buildSkeleton(tree, view, candidates);
        Path questions = git.directory().resolve("questions");
        write(questions, candidates);
        Path answers = git.directory().resolve("answers");
        Command command =
                git.command(
                                List.of(
                                        "-c",
                                        "core.bare=false",
                                        "-c",
                                        "core.excludesFile=" + userRules,
                                        "check-ignore",
                                        "--no-index",
                                        "-z",
                                        "--stdin"))
                        .in(tree)
                        .withVariable("GIT_WORK_TREE", tree.toString());
        ProcessResult result =
                runner.run(
                        command.withStreams(
                                new Command.Input.File(questions),
                                new Command.Output.File(answers),
                                new Command.Output.Captured()));
        // Status 1 says that nothing is ignored.
        ScratchGit.requireSuccess(command, result.exit() == 1 ? 0 : result.exit(), result);
        return read(answers);
    }

    private static void copyRules(Optional<Path> from, Path to) throws IOException {
        byte[] content = {};
        if (from.isPresent() && Files.isRegularFile(from.get())) {
            try (InputStream in = Files.newInputStream(from.get())) {
                content = in.readNBytes(RULES_LIMIT);
            }
        }
        Files.write(to, content);
    }

    private static void buildSkeleton(Path tree, MergedTree view, List<Change> candidates)
            throws IOException {
        Set<TreePath> looked = new HashSet<>();
        try (Dir root = Dir.open(tree)) {
            for (Change change : candidates) {
                Optional<TreePath> dir = change.path().parent();
                while (dir.isPresent() && looked.add(dir.get())) {
                    copyRules(view, dir.get(), root);
                    dir = dir.get().parent();
                }
            }
        }
    }

    private static void copyRules(MergedTree view, TreePath directory, Dir root)
            throws IOException {
        TreePath file = directory.child(NAME);
        boolean usable =
                view.status(file)
                        .filter(s -> s.type() == FileType.REGULAR && s.size() <= RULES_LIMIT)
                        .isPresent();
        if (!usable) {
            return;
        }
        try (InputStream in = view.read(file);
                Dir target = Directories.make(root, directory);
                OutputStream out = target.create(file.name(), 0600)) {
            out.write(in.readNBytes(RULES_LIMIT));
        }
    }

    /** Each path behind {@code ./}, so that no name is taken for a pathspec with magic. */
    private static void write(Path questions, List<Change> candidates) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(questions))) {
            for (Change change : candidates) {
                out.write('.');
                out.write('/');
                out.write(change.path().bytes());
                if (change.after().or(change::before).get() instanceof Entry.Directory) {
                    out.write('/');
                }
                out.write(0);
            }
        }
    }

    private static Set<TreePath> read(Path answers) {
        Set<TreePath> ignored = new HashSet<>();
        NulList.forEach(
                answers,
                line -> {
                    int end = line[line.length - 1] == '/' ? line.length - 1 : line.length;
                    ignored.add(TreePath.ofBytes(Arrays.copyOfRange(line, 2, end)));
                });
        return ignored;
    }
}
