package dev.carrel.core.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitIgnoreIT {

    private final ProcessRunner runner = new HostProcessRunner();
    private @TempDir Path temp;
    private Layers layers;

    @BeforeEach
    void makeLayers() throws Exception {
        Requirements.program("git");
        layers = new Layers(temp);
    }

    private ChangeSet changes(Optional<Path> index, Optional<Path> exclude) throws Exception {
        return changes(runner, index, Optional.empty(), exclude);
    }

    private ChangeSet changes(
            ProcessRunner by, Optional<Path> index, Optional<Path> checkout, Optional<Path> exclude)
            throws Exception {
        GitIgnore.Rules rules =
                new GitIgnore.Rules(index, checkout, exclude, Optional.empty(), "sha1");
        return ChangeSets.compute(layers.stack(), new GitIgnore(by, layers.scratch, rules));
    }

    @Test
    void rulesOfTheViewMarkWhatGitWouldIgnore() throws Exception {
        layers.base(".gitignore", "*.log\nbuild/\n").change("sub/.gitignore", "!keep.log\n");
        layers.change("a.log", "1").change("build/x/y", "2").change("sub/keep.log", "3");
        layers.change("logs/only.log", "4").change("src/f", "5").change("notbuild", "6");
        assertThat(Layers.lines(changes(Optional.empty(), Optional.empty())))
                .containsExactly(
                        "ADDED a.log ignored",
                        "ADDED build ignored",
                        "ADDED build/x ignored",
                        "ADDED build/x/y ignored",
                        "ADDED logs ignored",
                        "ADDED logs/only.log ignored",
                        "ADDED notbuild",
                        "ADDED src",
                        "ADDED src/f",
                        "ADDED sub",
                        "ADDED sub/.gitignore",
                        "ADDED sub/keep.log");
        assertThat(layers.scratch.toFile().list()).isEmpty();
    }

    @Test
    void trackedFilesAreNeverIgnored() throws Exception {
        layers.base(".gitignore", "*.log\n").base("tracked.log", "1").base("other.log", "1");
        Path index = index("tracked.log", ".gitignore");
        layers.change("tracked.log", "2").change("other.log", "2");
        assertThat(Layers.lines(changes(Optional.of(index), Optional.empty())))
                .containsExactly("MODIFIED other.log ignored", "MODIFIED tracked.log");
    }

    @Test
    void theFilesOfTheCheckoutAreTrackedWithoutAskingGit() throws Exception {
        layers.base(".gitignore", "*.log\n").base("d/tracked.log", "1").base("gone.log", "1");
        Path index = index("d/tracked.log", "gone.log", ".gitignore");
        layers.change("d/tracked.log", "2").whiteout("gone.log");
        ProcessRunner nobody =
                command -> {
                    throw new AssertionError("started " + command);
                };
        assertThat(
                        Layers.lines(
                                changes(
                                        nobody,
                                        Optional.of(index),
                                        Optional.of(layers.lower),
                                        Optional.empty())))
                .containsExactly("MODIFIED d/tracked.log", "DELETED gone.log");
        layers.change("new.log", "2");
        assertThat(
                        Layers.lines(
                                changes(
                                        runner,
                                        Optional.of(index),
                                        Optional.of(layers.lower),
                                        Optional.empty())))
                .containsExactly(
                        "MODIFIED d/tracked.log", "DELETED gone.log", "ADDED new.log ignored");
    }

    @Test
    void aSubmoduleIsTrackedAlthoughTheCheckoutHasNoFileThere() throws Exception {
        layers.base(".gitignore", "sub\n");
        Files.createDirectory(layers.lower.resolve("sub"));
        Path index = index(".gitignore");
        run(
                "git",
                "--git-dir=" + index.resolveSibling("."),
                "update-index",
                "--add",
                "--cacheinfo",
                "160000,1234567890123456789012345678901234567890,sub");
        Path sub = Files.createDirectory(layers.upper.resolve("sub"));
        Files.setPosixFilePermissions(sub, PosixFilePermissions.fromString("rwx------"));
        assertThat(
                        Layers.lines(
                                changes(
                                        runner,
                                        Optional.of(index),
                                        Optional.of(layers.lower),
                                        Optional.empty())))
                .containsExactly("MODE_CHANGED sub");
    }

    private Path index(String... tracked) throws Exception {
        Path git = temp.resolve("origin.git");
        run("git", "init", "-q", "--bare", git.toString());
        for (String file : tracked) {
            run(
                    "git",
                    "--git-dir=" + git,
                    "--work-tree=" + layers.lower,
                    "add",
                    "-f",
                    layers.lower.resolve(file).toString());
        }
        return git.resolve("index");
    }

    private void run(String... argv) throws Exception {
        assertThat(runner.run(Command.of(argv).in(layers.lower)).errorText()).isEmpty();
    }

    @Test
    void theRepositorysOwnExcludesCount() throws Exception {
        Path exclude = Files.writeString(temp.resolve("exclude"), "secret\n");
        layers.change("secret", "1").change("open", "2");
        assertThat(Layers.lines(changes(Optional.empty(), Optional.of(exclude))))
                .containsExactly("ADDED open", "ADDED secret ignored");
    }

    @Test
    void namesThatLookLikeOptionsOrPatternsAreJudgedAsNames() throws Exception {
        layers.base(".gitignore", "*.log\n");
        for (String name : new String[] {":(glob)x.log", ":!a.log", "-rf.log", "we\nird.log"}) {
            Layers.in(
                    layers.upper, TreePath.of(name), (dir, n) -> dir.symlink(Layers.bytes("t"), n));
        }
        assertThat(changes(Optional.empty(), Optional.empty()).withoutIgnored().isEmpty()).isTrue();
    }

    @Test
    void aLinkInPlaceOfTheRulesIsNotFollowed() throws Exception {
        Path outside = Files.writeString(temp.resolve("outside"), "*\n");
        Files.createSymbolicLink(layers.upper.resolve(".gitignore"), outside);
        layers.change("f", "1");
        assertThat(changes(Optional.empty(), Optional.empty()).changes())
                .noneMatch(Change::ignored);
    }
}
