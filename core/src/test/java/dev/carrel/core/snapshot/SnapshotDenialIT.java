package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.repo.Repos;
import dev.carrel.core.store.Step;
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

    @TempDir Path directory;
    private Bench bench;
    private Path canary;

    @BeforeEach
    void plant() throws Exception {
        bench = new Bench(directory).committed();
        canary = Files.createDirectory(directory.resolve("canary"));
        bench.run("chmod", "0777", canary.toString());
        Path trap =
                Bench.write(
                        directory.resolve("trap"),
                        "#!/bin/sh\n: > "
                                + canary
                                + "/$1\n[ \"$1\" != clean -a \"$1\" != smudge ] || cat\n");
        bench.run("chmod", "0755", trap.toString());
        bench.shell(
                """
                trap=%s
                echo '*.txt filter=trap diff=trap' > .gitattributes
                git add .gitattributes; git commit -qm attributes
                git config filter.trap.clean "$trap clean"
                git config filter.trap.smudge "$trap smudge"
                git config filter.trap.required true
                git config diff.trap.textconv "$trap textconv"
                git config core.fsmonitor "$trap fsmonitor"
                git config core.pager "$trap pager"
                git config core.sshCommand "$trap ssh"
                git config gpg.program "$trap gpg"
                git config log.showSignature true
                mkdir hooks
                for hook in reference-transaction post-index-change post-checkout pre-commit; do
                    printf '#!/bin/sh\\nexec %%s hook\\n' "$trap" > hooks/$hook
                    chmod +x hooks/$hook
                done
                git config core.hooksPath "$PWD/hooks"
                echo changed > docs/guide.txt
                """
                        .formatted(trap));
        clearCanary();
    }

    private void clearCanary() throws InterruptedException {
        bench.run("sh", "-c", "rm -f \"$1\"/*", "sh", canary.toString());
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
        bench.run("chmod", "0600", secret.toString());
        bench.shell(
                """
                rm -r hooks; git config --unset core.hooksPath; git config --unset core.fsmonitor
                rm .git/info/exclude; ln -s %1$s .git/info/exclude
                ln -s %1$s link-to-secret
                cp %1$s readable-by-root
                chmod 0600 readable-by-root
                """
                        .formatted(secret));
        bench.run("chown", "-R", "-h", "54321:54321", bench.origin.toString());
        bench.run("chown", "0:0", bench.origin + "/readable-by-root");
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
        assertThat(bench.run("find", bench.origin + "/.git", "-uid", "0")).isEmpty();
        for (Path lower : base.lowers()) {
            assertThat(bench.run("find", lower.toString(), "!", "-uid", "54321")).isEmpty();
        }
    }
}
