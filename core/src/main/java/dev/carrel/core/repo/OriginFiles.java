package dev.carrel.core.repo;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Small files of a repository's git directory that a copy needs, read as the origin's user.
 *
 * @param excludes the user's own ignore rules, then the repository's: the later ones win
 * @param sparse the patterns of its sparse checkout, if it is one
 * @param shallow the commits where its history is cut
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record OriginFiles(byte[] excludes, Optional<byte[]> sparse, Optional<byte[]> shallow) {

    /** Reads them. */
    public static OriginFiles read(HostGit git, Repo.Git repo, GitSettings settings)
            throws InterruptedException {
        ByteArrayOutputStream excludes = new ByteArrayOutputStream();
        if (settings.excludesFile().isPresent()) {
            append(excludes, git.read(settings.excludesFile().get()));
        }
        append(excludes, git.read(repo.commonDir().resolve("info/exclude")));
        Path sparse = repo.gitDir().resolve("info/sparse-checkout");
        return new OriginFiles(
                excludes.toByteArray(),
                settings.sparse() ? git.read(sparse) : Optional.empty(),
                repo.shallow() ? git.read(repo.commonDir().resolve("shallow")) : Optional.empty());
    }

    private static void append(ByteArrayOutputStream to, Optional<byte[]> content) {
        if (content.isPresent() && content.get().length > 0) {
            to.writeBytes(content.get());
            if (content.get()[content.get().length - 1] != '\n') {
                to.write('\n');
            }
        }
    }
}
