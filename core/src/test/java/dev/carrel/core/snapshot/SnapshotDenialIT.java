package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.repo.Repos;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.InMemory;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing that a repository plants runs when a base is made of it, and nothing foreign leaks in.
 */
class SnapshotDenialIT {

    @TempDir(factory = InMemory.class)
    Path directory;

    private Bench bench;
    private Path canary;

    @BeforeEach
    void plant() throws Exception {
        bench = new Bench(directory).committed();
        canary = Files.createDirectory(directory.resolve("canary"));
        Bench.allow(canary, "rwxrwxrwx");
        Path trap =
                Bench.write(
                        directory.resolve("trap"),
                        "#!/bin/sh\n: > "
                                + canary
                                + "/$1\n[ \"$1\" != clean -a \"$1\" != smudge ] || cat\n");
        Bench.allow(trap, "rwxr-xr-x");
        bench.shell(
                """
                trap=%s
                echo '*.txt filter=trap diff=trap' > .gitattributes
                git add .gitattributes; git commit -qm attributes
                cat >>.git/config <<E
                [filter "trap"]
                    clean = $trap clean
                    smudge = $trap smudge
                    required
                [diff "trap"]
                    textconv = $trap textconv
                [core]
                    fsmonitor = $trap fsmonitor
                    pager = $trap pager
                    sshCommand = $trap ssh
                    hooksPath = $PWD/hooks
                [gpg]
                    program = $trap gpg
                [log]
                    showSignature
                E
                mkdir hooks
                for hook in reference-transaction post-index-change post-checkout pre-commit; do
                    printf '#!/bin/sh\\nexec %%s hook\\n' "$trap" > hooks/$hook
                done
                chmod +x hooks/*
                echo changed > docs/guide.txt
                """
                        .formatted(trap));
        clearCanary();
    }

    private void clearCanary() throws Exception {
        try (Dir dir = Dir.open(canary)) {
            dir.names().forEach(dir::unlink);
        }
    }

    @Test
    void plantedProgramsDoNotRun() throws Exception {
        Base base = bench.base("s1");
        for (Step step :
                bench.snapshots()
                        .collect(bench.state.resolve("snapshots"), Set.of(), Duration.ofDays(-1))) {
            step.run();
        }

        assertThat(canary).isEmptyDirectory();
        assertThat(base.notices()).singleElement().asString().contains("git filter trap");
    }

    @Test
    void plantedProgramsRunWithPlainGit() throws Exception {
        bench.git("status");
        bench.git("add", "-A");
        bench.git("update-ref", "refs/other/x", "HEAD");

        assertThat(canary.toFile().list()).contains("clean", "fsmonitor", "hook");
    }

    @Test
    void ownersLinksDoNotReachRootsFiles() throws Exception {
        if (!bench.identity.switched()) {
            return; // an ordinary user has one user number: there is no other to tell apart
        }
        Path secret = Bench.write(directory.resolve("secret"), "root's own\n");
        Bench.allow(secret, "rw-------");
        bench.shell(
                """
                rm -r hooks; git config --unset core.hooksPath; git config --unset core.fsmonitor
                rm .git/info/exclude; ln -s %1$s .git/info/exclude
                ln -s %1$s link-to-secret
                cp %1$s readable-by-root
                chmod 0600 readable-by-root
                """
                        .formatted(secret));
        Trees.chownTree(bench.origin, 54321, 54321);
        Files.setAttribute(bench.origin.resolve("readable-by-root"), "unix:uid", 0);
        Identity owner = new Identity(54321, 54321, true);
        Repo repo =
                new Repos(bench.runner, bench.environment())
                        .open(Optional.of("repo"), bench.origin, owner);
        Base base =
                bench.make(
                        new SnapshotRequest(
                                repo,
                                owner,
                                true,
                                List.of("readable-by-root"),
                                bench.state.resolve("snapshots"),
                                bench.state.resolve("sessions/s1/repos/repo")));
        Path layer = base.lowers().getFirst();

        assertThat(Files.readString(layer.resolve(".git/info/exclude"))).doesNotContain("own");
        assertThat(Files.isSymbolicLink(layer.resolve("link-to-secret"))).isTrue();
        assertThat(layer.resolve("readable-by-root")).doesNotExist();
        assertThat(base.notices()).anyMatch(n -> n.contains("readable-by-root"));
        assertThat(base.hiddenRef()).isPresent();
        assertThat(bench.foreign(List.of(bench.origin.resolve(".git")), 54321)).isEmpty();
        assertThat(bench.foreign(base.lowers(), 54321)).isEmpty();
    }
}
