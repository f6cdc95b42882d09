package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.repo.Repos;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.KeptTree;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A place to try snapshots: a user's home and repository, a state directory, and the view that a
 * sandbox would have of a base, put together by copying.
 */
final class Bench {

    /** Some user without an entry, for sandboxes of root. */
    static final int DEDICATED = 61_184;

    final HostProcessRunner runner = new HostProcessRunner();
    final Path home;
    final Path origin;
    final Path state;
    final Identity identity;
    private final Path directory;
    private int views;

    Bench(Path directory) {
        try {
            this.directory = directory.toRealPath();
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            home = Files.createDirectories(this.directory.resolve("home"));
            origin = Files.createDirectories(this.directory.resolve("origin"));
            state = Files.createDirectories(this.directory.resolve("state"));
            int uid = (Integer) Files.getAttribute(directory, "unix:uid");
            int gid = (Integer) Files.getAttribute(directory, "unix:gid");
            identity =
                    uid == 0
                            ? new Identity(DEDICATED, DEDICATED, true)
                            : new Identity(uid, gid, false);
            Files.writeString(
                    home.resolve(".gitconfig"),
                    """
                    [user]
                        name = "Ada #1; \\\\ User"
                        email = ada@example.org
                    [init]
                        defaultBranch = main
                    [core]
                        excludesFile = ~/ignored
                    [protocol "file"]
                        allow = always
                    """);
            Files.writeString(home.resolve("ignored"), "*.global\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A repository with a small history. */
    Bench committed() {
        Committed.TREE.write(origin);
        return this;
    }

    /** Made by git once, as its user has it afterwards. */
    private static final class Committed {
        static final KeptTree TREE = make();

        private static KeptTree make() {
            try {
                Path directory = Files.createTempDirectory("carrel-committed");
                Bench bench = new Bench(directory);
                bench.commit();
                KeptTree tree = KeptTree.of(bench.origin);
                Trees.delete(directory.resolveSibling("."), directory.getFileName().toString());
                return tree;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void commit() throws IOException, InterruptedException {
        git("init", "-q");
        write("README.md", "one\n");
        write("src/main/App.java", "class App {}\n");
        write("src/test/AppTest.java", "class AppTest {}\n");
        write("docs/guide.txt", "guide\n");
        write(".gitignore", "node_modules/\n.env\n*.log\n");
        Files.createSymbolicLink(origin.resolve("link"), Path.of("README.md"));
        allow(write("run.sh", "#!/bin/sh\n"), "rwxr-xr-x");
        git("add", "-A");
        git("commit", "-qm", "first");
        git("tag", "-am", "the first", "v1");
        write("README.md", "two\n");
        git("commit", "-qam", "second");
    }

    /** A file of the origin. */
    Path write(String name, String content) {
        return write(origin.resolve(name), content);
    }

    static Path write(Path file, String content) {
        try {
            Path parent = file.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            return Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void allow(Path file, String permissions) {
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What lies in these and belongs to somebody else. */
    String foreign(List<Path> roots, int uid) throws InterruptedException {
        List<String> argv = new ArrayList<>(List.of("find"));
        roots.forEach(root -> argv.add(root.toString()));
        argv.addAll(List.of("!", "-uid", Integer.toString(uid)));
        return run(argv.toArray(String[]::new));
    }

    /** The user's own git, in the origin. */
    String git(String... arguments) throws InterruptedException {
        return gitIn(origin, arguments);
    }

    String gitIn(Path where, String... arguments) throws InterruptedException {
        List<String> argv = new ArrayList<>(List.of("git", "-C", where.toString()));
        argv.addAll(List.of(arguments));
        return succeed(Command.of(argv).withVariable("HOME", home.toString()));
    }

    String run(String... argv) throws InterruptedException {
        return succeed(Command.of(argv));
    }

    /** A shell script in the origin. */
    String shell(String script) throws InterruptedException {
        return succeed(
                Command.of("sh", "-ec", script).withVariable("HOME", home.toString()).in(origin));
    }

    private String succeed(Command command) throws InterruptedException {
        ProcessResult result = runner.run(command);
        assertThat(result.exit()).as(command + "\n" + result.errorText()).isZero();
        return result.outputText().stripTrailing();
    }

    Repo open(Path where) throws InterruptedException {
        return new Repos(runner, environment()).open(Optional.of("repo"), where, identity);
    }

    Map<String, String> environment() {
        return Map.of("HOME", home.toString());
    }

    Snapshots snapshots() {
        return new Snapshots(runner, environment());
    }

    SnapshotRequest request(Path where, String session, boolean uncommitted, String... include)
            throws InterruptedException {
        return new SnapshotRequest(
                open(where),
                identity,
                uncommitted,
                List.of(include),
                state.resolve("snapshots"),
                state.resolve("sessions").resolve(session).resolve("repos/repo"));
    }

    /** A base of the origin with its uncommitted work. */
    Base base(String session, String... include) throws InterruptedException {
        return make(request(origin, session, true, include));
    }

    Base make(SnapshotRequest request) throws InterruptedException {
        SnapshotPlan plan = snapshots().plan(request);
        for (Step step : plan.steps()) {
            step.run();
        }
        return plan.base();
    }

    /** What a sandbox would see, owned by its user. */
    View view(Base base) {
        String name = "view" + views++;
        Path merged = directory.resolve(name);
        try {
            Files.createDirectory(merged);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        base.lowers().reversed().forEach(layer -> MergedView.add(layer, directory, name));
        alternates(base, merged.resolve(".git/objects/info/alternates"));
        return new View(merged);
    }

    private static void alternates(Base base, Path file) {
        if (!Files.exists(file)) {
            return;
        }
        try {
            String content = Files.readString(file);
            for (ObjectMount mount : base.gitObjects()) {
                content = content.replace(mount.inside().toString(), mount.host().toString());
            }
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The origin with all that is in its git directory, but for the hidden references. */
    String fingerprint() throws InterruptedException {
        return run(
                "sh",
                "-ec",
                "cd \"$1\"; find . -path ./.git/refs/carrel -prune -o ! -type d"
                        + " -printf '%p %m %s %T@ %i %U %l\\n' | sort;"
                        + "find . -path ./.git/refs/carrel -prune -o -type f -print0 | sort -z |"
                        + " xargs -0 sha256sum",
                "sh",
                origin.toString());
    }

    /** A merged view. */
    final class View {
        final Path root;

        View(Path root) {
            this.root = root;
        }

        String git(String... arguments) throws InterruptedException {
            ProcessResult result = attempt(arguments);
            assertThat(result.exit())
                    .as(String.join(" ", arguments) + "\n" + result.errorText())
                    .isZero();
            return result.outputText().stripTrailing();
        }

        /** All objects are there and whole. There are no files yet that git looks at besides. */
        void fsck(String... options) throws InterruptedException {
            List<String> arguments = new ArrayList<>();
            arguments.addAll(List.of("-c", "core.commitGraph=false"));
            arguments.addAll(List.of("-c", "core.multiPackIndex=false", "fsck"));
            arguments.addAll(List.of(options));
            git(arguments.toArray(String[]::new));
        }

        /** As the sandbox's user, without any configuration of the host. */
        ProcessResult attempt(String... arguments) throws InterruptedException {
            List<String> argv = new ArrayList<>();
            if (identity.switched()) {
                argv.addAll(
                        List.of(
                                "setpriv",
                                "--reuid=" + identity.uid(),
                                "--regid=" + identity.gid(),
                                "--clear-groups"));
            }
            argv.addAll(List.of("git", "-C", root.toString()));
            argv.addAll(List.of(arguments));
            Map<String, String> environment = new HashMap<>(Command.BARE_ENVIRONMENT);
            environment.put("HOME", "/nonexistent");
            environment.put("GIT_CONFIG_NOSYSTEM", "1");
            return runner.run(Command.of(argv).withEnvironment(environment));
        }

        String read(String name) throws IOException {
            return Files.readString(root.resolve(name), StandardCharsets.UTF_8);
        }

        boolean has(String name) {
            return Files.exists(root.resolve(name), LinkOption.NOFOLLOW_LINKS);
        }
    }
}
