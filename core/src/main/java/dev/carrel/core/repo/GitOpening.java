package dev.carrel.core.repo;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.process.ProcessResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        Optional<Answers> quick = atOnce();
        Answers answers = quick.isPresent() ? quick.get() : oneByOne();
        Path gitDir = answers.gitDir();
        Path common = answers.common();
        GitSettings settings = GitSettings.read(git, root, gitDir, environment);
        // The common directory of a linked work tree may well be that of a bare repository.
        if (gitDir.equals(common) && settings.bare()) {
            throw bare(root);
        }
        return new Repo.Git(
                name,
                root,
                gitDir,
                common,
                answers.commit(),
                answers.branch(),
                answers.objectFormat(),
                Alternates.chain(git, common.resolve("objects")),
                Files.exists(common.resolve("shallow")),
                settings);
    }

    static InvalidInputException bare(Path directory) {
        return new InvalidInputException(
                directory + " is a bare git repository: it has no files to work on",
                "git -C " + directory + " worktree add DIR, and use DIR");
    }

    private record Answers(
            Path gitDir,
            Path common,
            String objectFormat,
            Optional<String> commit,
            Optional<String> branch) {}

    /**
     * The usual case by one process instead of six. Empty where a question has no answer, such as
     * HEAD before the first commit, or a path has a line end in it.
     */
    private Optional<Answers> atOnce() throws InterruptedException {
        ProcessResult result =
                dotGit.attempt(
                        "rev-parse",
                        "--absolute-git-dir",
                        "--path-format=absolute",
                        "--git-common-dir",
                        "--show-object-format",
                        "HEAD^{commit}",
                        "--symbolic-full-name",
                        "HEAD");
        List<String> lines = result.outputText().lines().toList();
        if (!result.succeeded() || lines.size() != 5) {
            return Optional.empty();
        }
        return Optional.of(
                new Answers(
                        Path.of(lines.get(0)),
                        Path.of(lines.get(1)),
                        lines.get(2),
                        Optional.of(lines.get(3)),
                        branch(lines.get(4))));
    }

    private Answers oneByOne() throws InterruptedException {
        ProcessResult directory = dotGit.attempt("rev-parse", "--absolute-git-dir");
        if (!directory.succeeded()) {
            throw new InvalidInputException(
                    root.resolve(".git")
                            + " is not a git repository that git can read: "
                            + directory.errorText(),
                    "repair it, or remove .git to use the directory as a plain one");
        }
        return new Answers(
                Path.of(directory.outputText().replaceFirst("\n$", "")),
                Path.of(dotGit.text("rev-parse", "--path-format=absolute", "--git-common-dir")),
                dotGit.text("rev-parse", "--show-object-format"),
                commit(),
                branch());
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
        return head.succeeded() ? branch(head.outputText().strip()) : Optional.empty();
    }

    private static Optional<String> branch(String reference) {
        return reference.startsWith("refs/heads/")
                ? Optional.of(reference.substring("refs/heads/".length()))
                : Optional.empty();
    }
}
