package dev.carrel.core.repo;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.process.ProcessResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Reads what a git work tree is. */
final class GitOpening {

    private final HostGit git;
    private final Path root;
    private final GitAt dotGit;

    GitOpening(HostGit git, Path root) {
        this.git = git;
        this.root = root;
        this.dotGit = git.at(root.resolve(".git"), root);
    }

    Repo.Git open(String name, Map<String, String> environment) throws InterruptedException {
        ProcessResult directory = dotGit.attempt("rev-parse", "--absolute-git-dir");
        if (!directory.succeeded()) {
            throw new InvalidInputException(
                    root.resolve(".git")
                            + " is not a git repository that git can read: "
                            + directory.errorText(),
                    "repair it, or remove .git to use the directory as a plain one");
        }
        Path gitDir = Path.of(directory.outputText().replaceFirst("\n$", ""));
        Path common =
                Path.of(dotGit.text("rev-parse", "--path-format=absolute", "--git-common-dir"));
        refuseBare(gitDir, common, environment);
        return new Repo.Git(
                name,
                root,
                gitDir,
                common,
                commit(),
                branch(),
                dotGit.text("rev-parse", "--show-object-format"),
                Alternates.chain(git, common.resolve("objects")),
                Files.exists(common.resolve("shallow")));
    }

    private void refuseBare(Path gitDir, Path common, Map<String, String> environment)
            throws InterruptedException {
        // The common directory of a linked work tree may well be that of a bare repository.
        if (gitDir.equals(common) && GitSettings.read(git, root, gitDir, environment).bare()) {
            throw bare(root);
        }
    }

    static InvalidInputException bare(Path directory) {
        return new InvalidInputException(
                directory + " is a bare git repository: it has no files to work on",
                "git -C " + directory + " worktree add DIR, and use DIR");
    }

    private Optional<String> commit() throws InterruptedException {
        ProcessResult head = dotGit.attempt("rev-parse", "-q", "--verify", "HEAD");
        if (!head.succeeded()) {
            return Optional.empty();
        }
        String commit = head.outputText().strip();
        if (!dotGit.attempt("cat-file", "-e", commit + "^{commit}").succeeded()) {
            throw new InvalidInputException(
                    "the repository "
                            + root
                            + " is damaged: HEAD's commit "
                            + commit
                            + " is missing",
                    "git -C " + root + " fsck");
        }
        return Optional.of(commit);
    }

    private Optional<String> branch() throws InterruptedException {
        ProcessResult head = dotGit.attempt("symbolic-ref", "-q", "HEAD");
        String reference = head.outputText().strip();
        return head.succeeded() && reference.startsWith("refs/heads/")
                ? Optional.of(reference.substring("refs/heads/".length()))
                : Optional.empty();
    }
}
