package dev.carrel.core.session;

import dev.carrel.core.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a new session is asked to be.
 *
 * @param repos the repositories it shows, at least one
 * @param name a name that people give it, besides its id
 * @param policy the sandbox
 * @param uncommitted whether uncommitted work of the host checkout is part of the base
 * @param include which git-ignored files are part of the base (gitignore-like patterns)
 * @param mounts further host directories, shown read-only
 */
public record SessionRequest(
        List<RepoRequest> repos,
        Optional<String> name,
        SandboxPolicy policy,
        boolean uncommitted,
        List<String> include,
        List<MountRequest> mounts) {

    public SessionRequest {
        repos = List.copyOf(repos);
        include = List.copyOf(include);
        mounts = List.copyOf(mounts);
    }

    /** The documented defaults for one repository. */
    public static SessionRequest of(Path repository) {
        return new SessionRequest(
                List.of(new RepoRequest(Optional.empty(), repository)),
                Optional.empty(),
                SandboxPolicy.DEFAULT,
                true,
                List.of(),
                List.of());
    }

    /**
     * A repository and the name it gets under {@code /workspace}; by default its directory's name.
     */
    public record RepoRequest(Optional<String> name, Path directory) {}

    /** A host file or directory, shown read-only at {@code target}, by default at its own path. */
    public record MountRequest(Path source, Optional<String> target) {}
}
