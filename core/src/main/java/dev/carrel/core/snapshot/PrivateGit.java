package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.repo.GitDirectory;
import dev.carrel.core.repo.HostGit;
import dev.carrel.core.repo.Scratch;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The git directory that a session works with.
 *
 * @param source how the origin's objects are found on the host
 * @param inside what the session's git reads
 * @param commit the pinned commit, if there is one
 * @param index the frozen index of the checkout
 */
record PrivateGit(
        HostGit git,
        GitDirectory source,
        GitDirectory inside,
        References references,
        Optional<String> commit,
        Optional<Path> index) {

    void write(Path layer) throws InterruptedException {
        Trees.delete(layer, ".git");
        Path directory = layer.resolve(".git");
        inside.write(directory);
        try {
            if (index.isPresent()) {
                Files.copy(index.get(), directory.resolve("index"));
            }
            if (commit.isPresent() && !references.tags().isEmpty()) {
                copyTags(commit.get(), directory.resolve("objects/pack"));
            }
        } catch (IOException e) {
            throw new HostOperationException("cannot write " + directory + ": " + e, null, e);
        }
    }

    /** Tag objects are kept alive by no commit, so the session gets its own. */
    private void copyTags(String pinned, Path packs) throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.create(git.user())) {
            Path own = scratch.directory().resolve("git");
            source.write(own);
            scratch.handOver();
            git.at(own)
                    .runWith(
                            references.tagRevisions(pinned).getBytes(StandardCharsets.US_ASCII),
                            "pack-objects",
                            "--revs",
                            "--quiet",
                            own.resolve("objects/pack/pack").toString());
            try (DirectoryStream<Path> made =
                    Files.newDirectoryStream(own.resolve("objects/pack"))) {
                for (Path file : made) {
                    Files.copy(file, packs.resolve(file.getFileName()));
                }
            }
        }
    }
}
