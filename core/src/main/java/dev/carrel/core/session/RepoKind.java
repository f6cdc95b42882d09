package dev.carrel.core.session;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** What a repository of a session is. */
enum RepoKind {
    /** A git work tree. */
    GIT,
    /** A directory that git knows nothing of. */
    PLAIN,
    /**
     * The directory that a session with the whole host was started in: itself, not a copy of it,
     * below a layer that goes with the session.
     */
    SCRATCH;

    /** Where one of this kind appears inside. */
    SandboxPath place(String name, Path root) {
        return switch (this) {
            case GIT, PLAIN -> SandboxPath.WORKSPACE.resolve(name);
            case SCRATCH -> new SandboxPath(root);
        };
    }

    static RepoKind named(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(text))
                .findFirst()
                .orElseThrow(
                        () -> new BrokenStoreException("'" + text + "' is no kind of repository"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
