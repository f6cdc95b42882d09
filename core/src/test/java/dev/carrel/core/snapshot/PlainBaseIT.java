package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.repo.OriginUser;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Walk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plain base is a copy of a directory, and says how it was made. */
class PlainBaseIT {

    @TempDir Path directory;
    private Bench bench;

    @BeforeEach
    void fill() throws Exception {
        bench = new Bench(directory);
        bench.shell(
                """
                mkdir -p a/b empty; echo one > a/b/one; echo two > two; ln -s nowhere link
                printf x > "$(printf 'n\\351\\n')"
                chmod 0750 a; chmod 0600 two; touch -d '2001-02-03 04:05:06.789' a/b/one
                """);
    }

    @Test
    void baseEqualsTheDirectory() throws Exception {
        Base base = bench.base("s1");

        bench.run(
                "diff",
                "-r",
                "--no-dereference",
                bench.origin.toString(),
                base.lowers().getFirst().toString());
        assertThat(attributes(base.lowers().getFirst())).isEqualTo(attributes(bench.origin));
        assertThat(base.sharedSnapshot()).isEmpty();
        assertThat(base.gitObjects()).isEmpty();
        assertThat(
                        bench.run(
                                "find",
                                base.lowers().getFirst().toString(),
                                "!",
                                "-uid",
                                Integer.toString(bench.identity.uid())))
                .isEmpty();
    }

    private String attributes(Path root) throws InterruptedException {
        return bench.run(
                "sh",
                "-ec",
                "cd \"$1\"; find . -mindepth 1 -printf '%p %y %m %l ' -a"
                        + " \\( -type f -printf '%s %T@' -o -true \\) -printf '\\n' | sort",
                "sh",
                root.toString());
    }

    @Test
    void hardLinksAreNotedAndEditsInPlaceShow() throws Exception {
        bench.run("chown", "-R", Integer.toString(bench.identity.uid()), bench.origin.toString());
        bench.shell("mkfifo pipe; cp /bin/true tool; chmod 4755 tool");
        bench.run("chown", Integer.toString(bench.identity.uid()), bench.origin + "/tool");
        bench.run("chmod", "4755", bench.origin + "/tool");
        Base base = bench.base("s1");

        if (base.method() == BaseMethod.REFLINK) {
            return;
        }
        assertThat(base.method()).isEqualTo(BaseMethod.HARD_LINKS);
        assertThat(base.notices()).anyMatch(n -> n.contains("hard links"));
        assertThat(base.notices()).contains("1 FIFO, socket or device left out: pipe");
        assertThat(Files.getAttribute(base.lowers().getFirst().resolve("two"), "unix:ino"))
                .isEqualTo(Files.getAttribute(bench.origin.resolve("two"), "unix:ino"));
        assertThat(bench.run("stat", "-c", "%a", base.lowers().getFirst() + "/tool"))
                .isEqualTo("755");
        Manifest manifest = Manifest.load(base.manifest().orElseThrow());
        assertThat(manifest.size()).isEqualTo(3);
        Manifest.Entry entry = manifest.entry(TreePath.of("two")).orElseThrow();
        assertThat(entry.matches(status("two"))).isTrue();
        Files.writeString(bench.origin.resolve("two"), "other");
        assertThat(entry.matches(status("two"))).isFalse();
    }

    private FileStatus status(String name) {
        try (Dir dir = Dir.open(bench.origin)) {
            return dir.stat(name.getBytes(StandardCharsets.UTF_8)).orElseThrow();
        }
    }

    @Test
    void foreignFilesAreCopied() throws Exception {
        if (!bench.identity.switched()) {
            return; // an ordinary user has one user number: there is no other to tell apart
        }
        Base base = bench.base("s1");

        assertThat(base.method()).isIn(BaseMethod.COPY, BaseMethod.REFLINK);
        assertThat(base.manifest()).isEmpty();
        assertThat(Files.getAttribute(bench.origin.resolve("two"), "unix:uid")).isEqualTo(0);
    }

    @Test
    void unreadableFilesOfTheOwnerAreLinkedOrLeftOutWithANotice() throws Exception {
        bench.run("chown", "-R", Integer.toString(bench.identity.uid()), bench.origin.toString());
        bench.run("chmod", "0", bench.origin + "/two");
        Readability readability = new Readability(OriginUser.of(bench.origin, bench.identity));
        PlainSurvey linked = new PlainSurvey(new CopyRules(readability, bench.identity.uid()));
        PlainSurvey copied = new PlainSurvey(new CopyRules(readability, bench.identity.uid()));
        try (Dir origin = Dir.open(bench.origin)) {
            Walk.of(origin, linked);
            Walk.of(origin, copied);
        }

        assertThat(linked.notices(BaseMethod.HARD_LINKS)).isEmpty();
        assertThat(copied.notices(BaseMethod.COPY))
                .containsExactly("1 file or directory left out, not readable: two");
    }

    @Test
    void gitDirectoriesInsideAreFilesWithANotice() throws Exception {
        bench.gitIn(bench.origin, "init", "-q", "nested");
        Base base = bench.base("s1");

        assertThat(base.lowers().getFirst().resolve("nested/.git/HEAD")).exists();
        assertThat(base.notices()).anyMatch(n -> n.contains("never applied: nested/.git"));
    }

    @Test
    void interruptedCopyIsMadeAnew() throws Exception {
        SnapshotRequest request = bench.request(bench.origin, "s1", true);
        for (int stop = 0; stop <= 3; stop++) {
            for (Step step : bench.snapshots().plan(request).steps().subList(0, stop)) {
                step.run();
            }
            Base base = bench.make(request);
            assertThat(attributes(base.lowers().getFirst())).isEqualTo(attributes(bench.origin));
        }
    }

    @Test
    void placesThatAreNoProjectAreRefused() throws Exception {
        for (String place :
                List.of(
                        "/",
                        "/etc",
                        "/usr",
                        "/var",
                        "/root",
                        "/home",
                        "/proc/self",
                        bench.home.toString(),
                        bench.state.toString(),
                        bench.state + "/snapshots/x",
                        directory.toString())) {
            SnapshotRequest request =
                    new SnapshotRequest(
                            new Repo.Plain("x", Path.of(place)),
                            bench.identity,
                            true,
                            List.of(),
                            bench.state.resolve("snapshots"),
                            bench.state.resolve("sessions/s/repos/x"));
            assertThatThrownBy(() -> bench.snapshots().plan(request))
                    .as(place)
                    .isInstanceOf(InvalidInputException.class);
        }
        assertThat(bench.state).isEmptyDirectory();
    }
}
