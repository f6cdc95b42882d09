package dev.carrel.core.repo;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A repository of the user: what a session works on a copy of. */
public sealed interface Repo {

    /** The name under {@code /workspace}; see {@link RepoName}. */
    String name();

    /** The top directory on the host, absolute and without symbolic links. */
    Path root();

    /**
     * A git work tree.
     *
     * @param gitDir the git directory of this work tree, absolute; for a linked work tree not the
     *     common one
     * @param commonDir where objects and references are, absolute; equals {@code gitDir} but for
     *     linked work trees
     * @param commit what HEAD points at; empty before the first commit
     * @param branch the short name of HEAD's branch; empty when HEAD is detached
     * @param objectFormat {@code sha1} or {@code sha256}
     * @param objectDirectories the own object directory and all that its alternates lead to, each
     *     once, the own one first
     * @param shallow whether the history is cut
     * @param settings what the user's git is configured to, as it was when this was read
     */
    record Git(
            String name,
            Path root,
            Path gitDir,
            Path commonDir,
            Optional<String> commit,
            Optional<String> branch,
            String objectFormat,
            List<Path> objectDirectories,
            boolean shallow,
            GitSettings settings)
            implements Repo {
        public Git {
            RepoName.check(name);
            objectDirectories = List.copyOf(objectDirectories);
            if (objectDirectories.isEmpty()) {
                throw new IllegalArgumentException("a repository has objects");
            }
        }
    }

    /** A directory that no version control looks after. */
    record Plain(String name, Path root) implements Repo {
        public Plain {
            RepoName.check(name);
        }
    }
}
