package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.repo.OriginUser;
import dev.carrel.core.testing.InMemory;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A git base looks and works like the checkout it was made of. */
class GitBaseIT {

    @TempDir(factory = InMemory.class)
    Path directory;

    private Bench bench;

    @BeforeEach
    void commit() {
        bench = new Bench(directory).committed();
    }

    @Test
    void cleanRepositoryIsCleanInside() throws Exception {
        Base base = bench.base("s1");
        Bench.View view = bench.view(base);

        assertThat(base.notices()).isEmpty();
        assertThat(view.git("status", "--porcelain")).isEmpty();
        assertThat(view.git("log", "--format=%s")).isEqualTo("second\nfirst");
        assertThat(view.git("branch", "--show-current")).isEqualTo("main");
        assertThat(view.git("describe", "--tags")).startsWith("v1-1-");
        assertThat(view.git("cat-file", "-t", "v1")).isEqualTo("tag");
        view.fsck("--strict");
        assertThat(view.read("README.md")).isEqualTo("two\n");
        assertThat(Files.isExecutable(view.root.resolve("run.sh"))).isTrue();
        assertThat(Files.readSymbolicLink(view.root.resolve("link")))
                .isEqualTo(Path.of("README.md"));
    }

    @Test
    void statusReadsNoFile() throws Exception {
        Bench.View view = bench.view(bench.base("s1"));
        for (String name : List.of("src/main/App.java", "src/test/AppTest.java")) {
            Bench.allow(view.root.resolve(name), "-w-------");
        }

        assertThat(view.git("status", "--porcelain")).isEmpty();
        // The control: as soon as the time of a file differs, git has to read it, and cannot.
        try (Dir dir = Dir.open(view.root.resolve("src/main"))) {
            dir.setModified(Names.bytes("App.java"), Instant.now());
        }
        assertThat(view.git("status", "--porcelain")).contains("App.java");
    }

    @Test
    void everydayCommandsWork() throws Exception {
        Bench.View view = bench.view(bench.base("s1"));
        Bench.write(view.root.resolve("README.md"), "three\n");
        Bench.allow(view.root.resolve("README.md"), "rw-rw-rw-");

        view.git("stash");
        assertThat(view.git("status", "--porcelain")).isEmpty();
        view.git("stash", "pop");
        view.git("commit", "-qam", "third");
        assertThat(view.git("log", "-1", "--format=%an <%ae>"))
                .isEqualTo("Ada #1; \\ User <ada@example.org>");
        view.git("switch", "-qc", "topic", "HEAD~2");
        assertThat(view.read("README.md")).isEqualTo("one\n");
        view.git("switch", "-q", "main");
        view.git("gc", "-q", "--prune=now");
        view.git("fsck", "--strict");
        assertThat(bench.git("log", "--all", "--format=%s")).isEqualTo("second\nfirst");
    }

    @Test
    void uncommittedWorkComesAlong() throws Exception {
        bench.shell(
                """
                echo changed > README.md
                echo staged > staged.txt; git add staged.txt
                echo new > src/main/new.txt
                printf 'x' > "$(printf 'caf\\351 \\n"q')"
                rm run.sh
                rm -r docs
                rm src/test/AppTest.java; rmdir src/test; echo file > src/test
                rm link; mkdir link; echo in > link/in
                echo skip > debug.log; echo skip > x.global
                mkdir node_modules; echo big > node_modules/a.js
                """);
        Bench.View view = bench.view(bench.base("s1"));

        String expected = bench.git("status", "--porcelain", "-uall").replace("A  ", "?? ");
        assertThat(view.git("status", "--porcelain", "-uall").lines())
                .containsExactlyInAnyOrderElementsOf(expected.lines().toList());
        bench.shell(
                "rm -r node_modules debug.log x.global; exec diff -r --no-dereference -x .git . "
                        + view.root);
    }

    @Test
    void uncommittedWorkStaysOutWhereAsked() throws Exception {
        bench.write("README.md", "changed\n");
        bench.write("new.txt", "new\n");

        Bench.View view = bench.view(bench.make(bench.request(bench.origin, "s1", false)));

        assertThat(view.git("status", "--porcelain")).isEmpty();
        assertThat(view.has("new.txt")).isFalse();
    }

    @Test
    void includesNameIgnoredFiles() throws Exception {
        bench.write("node_modules/a/index.js", "a");
        bench.write("packages/p/node_modules/b.js", "b");
        bench.write(".env", "SECRET=1");
        bench.write("debug.log", "log");

        Base base = bench.base("s1", "node_modules", "/.env", "missing*");
        Bench.View view = bench.view(base);

        assertThat(view.read("node_modules/a/index.js")).isEqualTo("a");
        assertThat(view.read("packages/p/node_modules/b.js")).isEqualTo("b");
        assertThat(view.read(".env")).isEqualTo("SECRET=1");
        assertThat(view.has("debug.log")).isFalse();
        assertThat(view.git("status", "--porcelain")).isEmpty();
        assertThat(base.notices()).containsExactly("nothing matches the include pattern missing*");
    }

    @Test
    void filesOfNestedRepositoriesComeWithoutTheirGitDirectory() throws Exception {
        bench.shell(
                """
                git init -q nested; cd nested; echo a > a; echo '*.o' > .gitignore; echo o > a.o
                git add .; git commit -qm nested
                git init -q deeper; echo d > deeper/d
                """);
        Bench.View view = bench.view(bench.base("s1"));

        assertThat(view.read("nested/a")).isEqualTo("a\n");
        assertThat(view.read("nested/deeper/d")).isEqualTo("d\n");
        assertThat(view.has("nested/.git")).isFalse();
        assertThat(view.has("nested/deeper/.git")).isFalse();
        assertThat(view.has("nested/a.o")).isFalse();
    }

    @Test
    void editInTheSecondOfTheCommitIsSeen() throws Exception {
        String time = bench.git("log", "-1", "--format=%ct");
        bench.write("README.md", "TWO\n"); // the same size
        Files.setLastModifiedTime(
                bench.origin.resolve("README.md"),
                FileTime.from(Instant.ofEpochSecond(Long.parseLong(time))));

        Bench.View view = bench.view(bench.base("s1"));

        assertThat(view.git("status", "--porcelain")).isEqualTo(" M README.md");
    }

    @Test
    void sessionsAtOneCommitShareOneTree() throws Exception {
        Base first = bench.base("s1");
        bench.write("new.txt", "new\n");
        Base second = bench.base("s2");

        assertThat(first.sharedSnapshot()).isEqualTo(second.sharedSnapshot());
        assertThat(first.lowers().getLast()).isEqualTo(second.lowers().getLast());
        assertThat(bench.view(first).has("new.txt")).isFalse();
        assertThat(bench.view(second).has("new.txt")).isTrue();
    }

    @Test
    void allFilesBelongToTheSandboxUser() throws Exception {
        bench.write("new/deep.txt", "new\n");
        Files.delete(bench.origin.resolve("run.sh"));
        Base base = bench.base("s1");

        assertThat(bench.foreign(base.lowers(), bench.identity.uid())).isEmpty();
        assertThat(base.lowers().getFirst().resolve("run.sh")).exists();
    }

    @Test
    void originStaysAsItIs() throws Exception {
        bench.write("README.md", "changed\n");
        bench.write("new.txt", "new\n");
        String before = bench.fingerprint();

        Base base = bench.base("s1");

        assertThat(bench.fingerprint()).isEqualTo(before);
        assertThat(bench.git("for-each-ref", "--format=%(refname)", "refs/carrel"))
                .isEqualTo(base.hiddenRef().orElseThrow());
    }

    @Test
    void rewrittenAndPrunedHistoryDoesNoHarm() throws Exception {
        bench.git("branch", "side", "HEAD~1");
        Bench.View view = bench.view(bench.base("s1"));
        bench.shell(
                """
                git checkout -q --orphan other; git commit -qm other
                git branch -D main side; git tag -d v1
                git reflog expire --expire=now --all; git gc -q --prune=now
                """);

        assertThat(view.git("status", "--porcelain")).isEmpty();
        assertThat(view.git("log", "--all", "--format=%s")).isEqualTo("second\nfirst");
        assertThat(view.git("cat-file", "-t", "v1")).isEqualTo("tag");
        view.fsck("--strict");
        view.git("gc", "-q");
    }

    @Test
    void referencesThatAreNoAncestorsStayOut() throws Exception {
        bench.shell(
                """
                git checkout -qb side; echo side > side; git add side; git commit -qm side
                git tag -am nested inner v1^{commit}; git tag -am outer outer inner
                git checkout -q main
                """);
        Bench.View view = bench.view(bench.base("s1"));

        assertThat(view.git("for-each-ref", "--format=%(refname)"))
                .isEqualTo("refs/heads/main\nrefs/tags/inner\nrefs/tags/outer\nrefs/tags/v1");
        view.fsck("--strict");
        view.git("log", "--all", "-p");
    }

    @Test
    void worksBeforeTheFirstCommit() throws Exception {
        Bench fresh = new Bench(Files.createDirectory(directory.resolve("fresh")));
        fresh.git("init", "-q");
        fresh.write("a.txt", "a\n");
        fresh.git("add", "a.txt");
        fresh.write("b.txt", "b\n");

        Base base = fresh.base("s1");
        Bench.View view = fresh.view(base);

        assertThat(base.commit()).isEmpty();
        assertThat(view.git("status", "--porcelain")).isEqualTo("?? a.txt\n?? b.txt");
        view.git("add", ".");
        view.git("commit", "-qm", "first");
        assertThat(view.git("branch", "--show-current")).isEqualTo("main");
    }

    @Test
    void worksDetached() throws Exception {
        bench.git("checkout", "-q", "--detach", "HEAD~1");
        Base base = bench.base("s1");
        Bench.View view = bench.view(base);

        assertThat(base.branch()).isEmpty();
        assertThat(view.git("status", "--porcelain", "--branch")).isEqualTo("## HEAD (no branch)");
        assertThat(view.read("README.md")).isEqualTo("one\n");
    }

    @Test
    void linkedWorkTreesWork() throws Exception {
        Path tree = directory.resolve("tree");
        bench.git("worktree", "add", "-q", tree.toString(), "-b", "topic", "HEAD~1");
        Bench.write(tree.resolve("README.md"), "topic\n");

        Base base = bench.make(bench.request(tree, "s1", true));
        Bench.View view = bench.view(base);

        assertThat(view.git("status", "--porcelain", "--branch"))
                .isEqualTo("## topic\n M README.md");
        view.fsck("--strict");
    }

    @Test
    void shallowClonesWork() throws Exception {
        Path clone = directory.resolve("shallow");
        bench.git("clone", "-q", "--depth=1", "file://" + bench.origin, clone.toString());

        Bench.View view = bench.view(bench.make(bench.request(clone, "s1", true)));

        assertThat(view.git("status", "--porcelain")).isEmpty();
        assertThat(view.git("log", "--format=%s")).isEqualTo("second");
        view.fsck();
    }

    @Test
    void borrowedObjectsAreFoundFlat() throws Exception {
        Path clone = directory.resolve("borrower");
        Path second = directory.resolve("second");
        bench.git("clone", "-q", "-s", bench.origin.toString(), clone.toString());
        bench.git("clone", "-q", "-s", clone.toString(), second.toString());

        Base base = bench.make(bench.request(second, "s1", true));

        assertThat(base.gitObjects())
                .extracting(ObjectMount::hideAlternates)
                .containsExactly(true, true, false);
        Bench.View view = bench.view(base);
        assertThat(view.git("status", "--porcelain")).isEmpty();
        view.git("log", "-p");
    }

    @Test
    void sha256RepositoriesWork() throws Exception {
        Bench fresh = new Bench(Files.createDirectory(directory.resolve("fresh")));
        fresh.git("init", "-q", "--object-format=sha256");
        fresh.write("a.txt", "a\n");
        fresh.git("add", ".");
        fresh.git("commit", "-qm", "first");
        Bench.View view = fresh.view(fresh.base("s1"));

        assertThat(view.git("status", "--porcelain")).isEmpty();
        assertThat(view.git("rev-parse", "HEAD")).hasSize(64);
        view.fsck("--strict");
    }

    @Test
    void sparseCheckoutsStaySparse() throws Exception {
        bench.git("sparse-checkout", "set", "src");
        Bench.View view = bench.view(bench.base("s1"));

        assertThat(view.has("docs")).isFalse();
        assertThat(view.has("src/main/App.java")).isTrue();
        assertThat(view.git("status", "--porcelain")).isEmpty();
        view.git("commit", "-q", "--allow-empty", "-m", "third");
        assertThat(view.git("show", "HEAD:docs/guide.txt")).isEqualTo("guide");
    }

    @Test
    void partialClonesSayWhatIsMissing() throws Exception {
        Path clone = directory.resolve("partial");
        bench.git("config", "uploadpack.allowFilter", "true");
        bench.git("clone", "-q", "--filter=blob:none", "file://" + bench.origin, clone.toString());

        Base base = bench.make(bench.request(clone, "s1", true));

        assertThat(base.notices()).singleElement().asString().contains("partial");
        assertThat(bench.view(base).git("status", "--porcelain")).isEmpty();
    }

    @Test
    void submodulesAreEmptyWithANotice() throws Exception {
        Bench other = new Bench(Files.createDirectory(directory.resolve("other"))).committed();
        bench.git(
                "-c",
                "protocol.file.allow=always",
                "submodule",
                "add",
                "-q",
                other.origin.toString(),
                "sub");
        bench.git("commit", "-qm", "with a submodule");

        Base base = bench.base("s1");
        Bench.View view = bench.view(base);

        assertThat(base.notices())
                .containsExactly("submodules are empty directories in the session");
        assertThat(view.root.resolve("sub")).isEmptyDirectory();
        assertThat(view.git("status", "--porcelain")).isEmpty();
    }

    @Test
    void lineEndsAreTheUsersOwn() throws Exception {
        bench.git("config", "core.autocrlf", "true");
        bench.shell("rm README.md; git checkout -q README.md");
        Bench.View view = bench.view(bench.base("s1"));

        assertThat(view.read("README.md")).isEqualTo("two\r\n");
        assertThat(view.git("status", "--porcelain")).isEmpty();
    }

    @Test
    void credentialsAndRemotesStayOut() throws Exception {
        bench.git("remote", "add", "origin", "https://user:token@example.org/x.git");
        bench.write(".git/hooks/pre-commit", "#!/bin/sh\n");
        Bench.View view = bench.view(bench.base("s1"));

        assertThat(view.read(".git/config")).doesNotContain("token", "remote");
        assertThat(view.has(".git/hooks")).isFalse();
    }

    @Test
    void overlayOfTheLayersIsTheSameView() throws Exception {
        Path bwrap = Requirements.bwrap();
        bench.write("README.md", "changed\n");
        bench.shell("rm run.sh; rm -r docs");
        Base base = bench.base("s1");
        List<String> argv = new ArrayList<>();
        if (bench.identity.switched()) {
            argv.addAll(OriginUser.prefix(bench.identity.uid(), bench.identity.gid()));
        }
        argv.addAll(
                List.of(
                        bwrap.toString(),
                        "--unshare-user",
                        "--ro-bind",
                        "/usr",
                        "/usr",
                        "--symlink",
                        "usr/bin",
                        "/bin",
                        "--symlink",
                        "usr/lib",
                        "/lib",
                        "--symlink",
                        "usr/lib64",
                        "/lib64",
                        "--dev",
                        "/dev",
                        "--proc",
                        "/proc",
                        "--tmpfs",
                        "/tmp"));
        for (ObjectMount mount : base.gitObjects()) {
            argv.addAll(List.of("--ro-bind", mount.host().toString(), mount.inside().toString()));
        }
        for (Path lower : base.lowers().reversed()) {
            argv.addAll(List.of("--overlay-src", lower.toString()));
        }
        argv.addAll(
                List.of(
                        "--tmp-overlay",
                        "/workspace/repo",
                        "--chdir",
                        "/workspace/repo",
                        "sh",
                        "-ec",
                        "git status --porcelain; git commit -qam inside; git log --format=%s; ls"));
        ProcessResult result = bench.runner.run(Command.of(argv));

        assertThat(result.errorText()).isEmpty();
        assertThat(result.outputText())
                .isEqualTo(
                        " M README.md\n D docs/guide.txt\n D run.sh\ninside\nsecond\nfirst\nREADME.md\nlink\nsrc\n");
    }

    @Test
    void objectsAreCopiedWhereTheSandboxCannotReadThem() throws IOException, InterruptedException {
        if (!bench.identity.switched()) {
            return; // an ordinary user has one user number: there is no other to tell apart
        }
        Bench.allow(bench.origin, "rwx------");
        String before = bench.fingerprint();

        Base base = bench.base("s1");
        Bench.View view = bench.view(base);

        assertThat(base.hiddenRef()).isEmpty();
        assertThat(base.notices()).singleElement().asString().contains("objects are copied");
        assertThat(bench.fingerprint()).isEqualTo(before);
        assertThat(view.git("status", "--porcelain")).isEmpty();
        view.fsck("--strict");
        view.git("log", "--all", "-p");
    }

    @Test
    void aRepositoryThatTakesNoReferenceMayBePruned() throws Exception {
        Path refs = bench.origin.resolve(".git/refs");
        if (bench.identity.switched()) {
            Trees.chownTree(bench.origin, 12345, 12345);
            Files.setAttribute(refs, "unix:uid", 0);
            Files.setAttribute(refs, "unix:gid", 0);
        } else {
            Bench.allow(refs, "r-xr-xr-x");
        }

        Base base = bench.base("s1");
        Bench.View view = bench.view(base);
        Trees.chownTree(bench.origin, uid(), gid());
        Bench.allow(refs, "rwxr-xr-x");
        bench.shell(
                """
                git checkout -q --orphan other; git commit -qm other
                git branch -D main; git tag -d v1
                git reflog expire --expire=now --all; git gc -q --prune=now
                """);

        assertThat(base.hiddenRef()).isEmpty();
        assertThat(base.notices())
                .singleElement()
                .asString()
                .contains("objects are copied: " + refs + " cannot be written");
        assertThat(view.git("log", "--all", "--format=%s")).isEqualTo("second\nfirst");
        view.fsck("--strict");
    }

    private static int uid() {
        return dev.carrel.core.posix.Identity.effectiveUid();
    }

    private static int gid() {
        return dev.carrel.core.posix.Identity.effectiveGid();
    }
}
