package dev.carrel.cli;

import dev.carrel.core.session.SessionRequest.RepoRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where a command of a new session starts when nothing is said: where the caller is. */
final class StartDirectory {

    private StartDirectory() {}

    /** The current directory, if one of the repositories has it. */
    static Optional<String> of(Context context, List<RepoRequest> repos) {
        Path here = context.directory();
        return repos.stream().anyMatch(repo -> here.startsWith(repo.directory()))
                ? Optional.of(here.toString())
                : Optional.empty();
    }
}
