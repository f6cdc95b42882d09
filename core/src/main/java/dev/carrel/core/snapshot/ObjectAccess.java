package dev.carrel.core.snapshot;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.HostGit;
import dev.carrel.core.repo.OriginUser;
import dev.carrel.core.repo.Repo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the sandbox gets at the objects of a repository.
 *
 * @param whyCopied empty: they are mounted, and a hidden reference keeps them alive
 */
record ObjectAccess(Optional<String> whyCopied) {

    private static final String INSIDE = "/run/carrel-git/";

    // "find" fails or prints something for what this user cannot enter or read. The marks that keep
    // packs are for their owner only, and need not be read.
    private static final String ALL_READABLE =
            "for d; do test -x \"$d\" && test -z \"$(find \"$d\" ! -readable ! -name '*.promisor'"
                    + " ! -name '*.keep' ! -name 'tmp_*' -print -quit 2>&1)\" || exit 1; done";

    static ObjectAccess find(HostGit git, ProcessRunner runner, Repo.Git repo, Identity identity)
            throws InterruptedException {
        Path refs = repo.commonDir().resolve("refs");
        Path hidden = refs.resolve("carrel");
        for (Path needed : List.of(repo.commonDir(), refs, hidden)) {
            if (Files.exists(needed) && !git.mayWrite(needed)) {
                return new ObjectAccess(
                        Optional.of(
                                needed
                                        + " cannot be written, and only a reference there would"
                                        + " keep them from its gc"));
            }
        }
        boolean sameUser = !identity.switched() || git.user().uid() == identity.uid();
        if (!sameUser && !allReadable(runner, repo.objectDirectories(), identity)) {
            return new ObjectAccess(
                    Optional.of(
                            "user "
                                    + identity.uid()
                                    + ", under whom sandboxes run, cannot read "
                                    + repo.objectDirectories().getFirst()));
        }
        return new ObjectAccess(Optional.empty());
    }

    private static boolean allReadable(ProcessRunner runner, List<Path> directories, Identity who)
            throws InterruptedException {
        List<String> argv = new ArrayList<>(OriginUser.prefix(who.uid(), who.gid()));
        argv.addAll(List.of("sh", "-c", ALL_READABLE, "sh"));
        directories.forEach(directory -> argv.add(directory.toString()));
        return runner.run(Command.of(argv)).succeeded();
    }

    boolean copied() {
        return whyCopied.isPresent();
    }

    /** What is mounted, in the order of the alternates. */
    List<ObjectMount> mounts(Repo.Git repo, SharedPlace place) {
        List<ObjectMount> mounts = new ArrayList<>();
        List<Path> directories = copied() ? List.of(place.objects()) : repo.objectDirectories();
        for (Path directory : directories) {
            SandboxPath inside = SandboxPath.of(INSIDE + repo.name() + "/" + mounts.size());
            boolean borrows = Files.exists(directory.resolve("info/alternates"));
            mounts.add(new ObjectMount(directory, inside, borrows));
        }
        return mounts;
    }
}
