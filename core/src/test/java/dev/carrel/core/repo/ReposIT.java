package dev.carrel.core.repo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReposIT {

    @TempDir Path given;
    private Path directory;
    private Identity identity;
    private final HostProcessRunner runner = new HostProcessRunner();
    private final Repos repos = new Repos(runner, Map.of());

    @BeforeEach
    void identify() throws Exception {
        directory = given.toRealPath();
        int uid = (Integer) Files.getAttribute(directory, "unix:uid");
        identity = uid == 0 ? new Identity(61_184, 61_184, true) : new Identity(uid, uid, false);
    }

    private void git(String... arguments) throws InterruptedException {
        String[] argv = new String[arguments.length + 3];
        argv[0] = "git";
        argv[1] = "-C";
        argv[2] = directory.toString();
        System.arraycopy(arguments, 0, argv, 3, arguments.length);
        assertThat(runner.run(Command.of(argv)).exit()).isZero();
    }

    private Repo open(Path where) throws InterruptedException {
        return repos.open(Optional.empty(), where, identity);
    }

    @Test
    void subDirectoryBelongsToTheWorkTreeAroundIt() throws Exception {
        git("init", "-q", "project");
        Path sub = Files.createDirectories(directory.resolve("project/a/b"));

        assertThat(repos.around(sub)).hasValue(directory.resolve("project"));
        assertThat(open(sub).root()).isEqualTo(directory.resolve("project"));
        assertThat(open(sub).name()).isEqualTo("project");
    }

    @Test
    void directoryOutsideIsPlain() throws Exception {
        Path plain = Files.createDirectory(directory.resolve("plain"));
        Path link = Files.createSymbolicLink(directory.resolve("other"), plain);

        assertThat(repos.around(plain)).isEmpty();
        assertThat(open(link)).isEqualTo(new Repo.Plain("plain", plain));
    }

    @Test
    void bareRepositoryIsRefused() throws Exception {
        git("init", "-q", "--bare", "bare.git");
        git("clone", "-q", "--bare", "bare.git", "wrapped/.git");

        for (String place : new String[] {"bare.git", "wrapped"}) {
            assertThatThrownBy(() -> open(directory.resolve(place)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("bare");
        }
    }

    @Test
    void workTreeOfABareRepositoryWorks() throws Exception {
        git("init", "-q", "seed");
        git(
                "-C",
                "seed",
                "-c",
                "user.name=a",
                "-c",
                "user.email=b",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "x");
        git("clone", "-q", "--bare", "seed", "bare.git");
        git("-C", "bare.git", "worktree", "add", "-q", "../tree");

        assertThat(open(directory.resolve("tree")))
                .isInstanceOfSatisfying(
                        Repo.Git.class,
                        r -> {
                            assertThat(r.commonDir()).isEqualTo(directory.resolve("bare.git"));
                            assertThat(r.branch()).hasValue("tree");
                        });
    }

    @Test
    void brokenRepositoryIsRefused() throws Exception {
        Path broken = Files.createDirectories(directory.resolve("broken"));
        Files.writeString(broken.resolve(".git"), "gitdir: /nowhere\n");
        Path empty = Files.createDirectories(directory.resolve("empty"));
        Files.createDirectory(empty.resolve(".git"));

        for (Path place : new Path[] {broken, empty}) {
            assertThatThrownBy(() -> open(place))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(".git is not a git repository");
        }
    }

    @Test
    void missingCommitIsDamage() throws Exception {
        git("init", "-q", "project");
        Path reference = directory.resolve("project/.git/refs/heads/gone");
        Files.writeString(reference, "1".repeat(40) + "\n");
        Files.writeString(directory.resolve("project/.git/HEAD"), "ref: refs/heads/gone\n");

        assertThatThrownBy(() -> open(directory.resolve("project")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("damaged");
    }

    @Test
    void missingDirectoryIsNotFound() {
        assertThatThrownBy(() -> open(directory.resolve("none")))
                .isInstanceOf(NotFoundException.class);
    }
}
