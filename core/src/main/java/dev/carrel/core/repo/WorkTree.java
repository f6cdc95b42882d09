package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Looks at a repository's files through a git directory of our own and a copy of its index: what
 * git remembers about unchanged files stays useful, and neither its hooks, its filters nor its
 * monitor run. Writes only below the scratch directory. Close removes that.
 */
public final class WorkTree implements AutoCloseable {

    private static final int LONGEST_NESTING = 16;

    // git compares its files with the time of the index, which must not seem newer. A split index
    // is in two files; the second has a name that only the first knows.
    private static final String COPY_INDEX =
            "for f in \"$1/index\" \"$1\"/sharedindex.*; do [ ! -e \"$f\" ] || cp"
                    + " --preserve=timestamps -- \"$f\" \"$2/\" || exit; done";

    private final Repo.Git repo;
    private final Scratch scratch;
    private final GitAt git;

    private WorkTree(Repo.Git repo, Scratch scratch, GitAt git) {
        this.repo = repo;
        this.scratch = scratch;
        this.git = git;
    }

    /** Prepares the scratch directory. */
    public static WorkTree open(HostGit host, Repo.Git repo, GitDirectory directory)
            throws InterruptedException {
        Scratch scratch = Scratch.create(host.user());
        try {
            Path own = scratch.directory().resolve("git");
            directory.write(own);
            scratch.handOver();
            copyIndex(host, repo.gitDir(), own);
            return new WorkTree(repo, scratch, host.at(own, repo.root()));
        } catch (RuntimeException | InterruptedException failed) {
            scratch.close();
            throw failed;
        }
    }

    private static void copyIndex(HostGit host, Path from, Path to) throws InterruptedException {
        if (!host.user().switched()) {
            copyIndex(from, to);
        } else if (Files.exists(from.resolve("index"))) {
            ProcessResult copied =
                    host.attempt(
                            Command.of(
                                    "sh", "-c", COPY_INDEX, "sh", from.toString(), to.toString()));
            if (!copied.succeeded()) {
                throw new HostOperationException(
                        "cannot read the index of " + from + ": " + copied.errorText());
            }
        }
    }

    private static void copyIndex(Path from, Path to) {
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(from, "{index,sharedindex.*}")) {
            for (Path file : files) {
                if (Files.isRegularFile(file)) {
                    Files.copy(
                            file,
                            to.resolve(Objects.requireNonNull(file.getFileName())),
                            StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw new HostOperationException(
                    "cannot read the index of " + from + ": " + e, null, e);
        }
    }

    /** git on the scratch directory and the repository's files. */
    public GitAt git() {
        return git;
    }

    /** Everything that differs from the commit, files that git ignores left out. */
    public List<Uncommitted> uncommitted() throws InterruptedException {
        byte[] output =
                git.run(
                        "status",
                        "--porcelain=v2",
                        "-z",
                        "--untracked-files=all",
                        "--no-renames",
                        "--ignore-submodules=all");
        List<Uncommitted> found = new ArrayList<>();
        for (byte[] record : split(output)) {
            if (record.length > 2 && record[0] != '#') {
                StatusRecord status = StatusRecord.parse(record);
                if (status.isDirectory()) {
                    addNested(status.path(), found, 0);
                } else {
                    found.add(new Uncommitted(status.path(), status.inCommit()));
                }
            }
        }
        return found;
    }

    /**
     * A repository inside is to git one entry; its files come along, its own git directory does
     * not.
     */
    private void addNested(TreePath nested, List<Uncommitted> found, int depth)
            throws InterruptedException {
        for (byte[] name : split(others(nested, "--exclude-standard"))) {
            StatusRecord entry = StatusRecord.untracked(name);
            TreePath path = join(nested, entry.path());
            if (!entry.isDirectory()) {
                found.add(new Uncommitted(path, false));
            } else if (depth < LONGEST_NESTING) {
                addNested(path, found, depth + 1);
            }
        }
    }

    private byte[] others(TreePath directory, String rule) throws InterruptedException {
        Path tree = repo.root().resolve(HostNames.text(directory));
        return new GitAt(git.git(), git.gitDir(), Optional.of(tree), git.variables())
                .with("GIT_INDEX_FILE", scratch.directory().resolve("none").toString())
                .run("ls-files", "--others", "-z", rule);
    }

    /** Files that git does not track and that a pattern of {@code gitignore} syntax names. */
    public Set<TreePath> matching(String pattern) throws InterruptedException {
        byte[] output = git.run("ls-files", "--others", "--ignored", "-z", "--exclude=" + pattern);
        Set<TreePath> found = new LinkedHashSet<>();
        for (byte[] name : split(output)) {
            found.add(StatusRecord.untracked(name).path());
        }
        return found;
    }

    private static TreePath join(TreePath directory, TreePath below) {
        TreePath path = directory;
        for (byte[] name : below.components()) {
            path = path.child(name);
        }
        return path;
    }

    /** The records of an output of {@code -z}. */
    public static List<byte[]> split(byte[] output) {
        List<byte[]> records = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < output.length; i++) {
            if (output[i] == 0) {
                records.add(Arrays.copyOfRange(output, start, i));
                start = i + 1;
            }
        }
        return records;
    }

    @Override
    public void close() {
        scratch.close();
    }

    /**
     * A path that differs from the commit; what it is now, or that it is gone, the disk tells.
     *
     * @param inCommit whether the commit has something there
     */
    public record Uncommitted(TreePath path, boolean inCommit) {}
}
