package dev.carrel.core.session;

import dev.carrel.core.overlay.GitIgnore;
import dev.carrel.core.overlay.IgnoreFilter;
import dev.carrel.core.process.ProcessRunner;
import java.nio.file.Path;
import java.util.Optional;

/** Which ignore rules a repository of a session has. */
final class IgnoreRules {

    private static final int SHA256_DIGITS = 64;

    private IgnoreRules() {}

    /**
     * The rules of the base: its index, and the excludes that its private layer froze. A sandbox
     * can write neither.
     *
     * @param scratch a directory of the caller for temporary files
     */
    static IgnoreFilter of(ProcessRunner runner, Path scratch, RepoRecord repo) {
        if (repo.kind() != RepoKind.GIT) {
            return IgnoreFilter.nothing();
        }
        boolean sha256 =
                repo.base().commit().filter(commit -> commit.length() == SHA256_DIGITS).isPresent();
        Path exclude = repo.base().lowers().getFirst().resolve(".git/info/exclude");
        return new GitIgnore(
                runner,
                scratch,
                new GitIgnore.Rules(
                        repo.base().index(),
                        repo.base().index().map(_ -> repo.base().lowers().getLast()),
                        Optional.of(exclude),
                        Optional.empty(),
                        sha256 ? "sha256" : "sha1"));
    }
}
