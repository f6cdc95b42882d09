package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What lies on an overlay already, as everything in a container does. The overlay is mounted for a
 * child process alone, for an ordinary user in a user namespace where it is root, and then the user
 * again.
 */
class OverlaidIT {

    private static final String FILL =
            "mkdir -p sub/deep kind; echo one >a.txt; echo x >sub/deep/file; echo x >kind/file;"
                    + " echo m >moved; echo t >tool; chmod 644 a.txt moved tool";

    private static final String COMMIT =
            FILL
                    + "; git init -q; git add .;"
                    + " git -c user.name=a -c user.email=a@example.test commit -qm first";

    private Path base;

    @BeforeEach
    void create() throws Exception {
        base = Files.createTempDirectory("carrel-overlaid").toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
    }

    @AfterEach
    void remove() {
        Trees.delete(base.resolveSibling("."), base.getFileName().toString());
    }

    @Test
    void aRepositoryOnAnOverlayIsWorkedOnAndAppliedTo() throws Exception {
        assertWorked(on("project", FILL, "project"));
    }

    @Test
    void aGitRepositoryOnAnOverlayIsWorkedOnAndAppliedTo() throws Exception {
        assertWorked(on("project", COMMIT, "project"));
    }

    /** The overlay's own upper is where apply wrote. */
    private void assertWorked(List<String> lines) throws Exception {
        assertThat(lines)
                .containsExactly(
                        "a.txt 644 one",
                        "kind 644 kind",
                        "new/file 644 new",
                        "renamed 644 m",
                        "tool 755 t",
                        "two",
                        "origin one",
                        "applied",
                        "sessions []");
        assertThat(base.resolve("upper/a.txt")).hasContent("one\ntwo\n");
        assertThat(base.resolve("upper/kind")).hasContent("kind\n");
        assertThat(base.resolve("upper/renamed")).hasContent("m\n");
        assertThat(base.resolve("lower/a.txt")).hasContent("one\n");
    }

    @Test
    void stateOnAnOverlayIsRefusedBeforeAnythingIsMade() throws Exception {
        Files.writeString(Files.createDirectory(base.resolve("plain")).resolve("a.txt"), "one\n");

        assertThat(on("state", "true", "plain"))
                .satisfiesExactly(
                        line ->
                                assertThat(line)
                                        .startsWith("refused: an overlay cannot be mounted in '")
                                        .contains("state': it lies on an overlay itself")
                                        .contains("| set CARREL_WORKSPACES to "),
                        line -> assertThat(line).isEqualTo("sessions []"));
    }

    private List<String> on(String overlaid, String fill, String repo) throws Exception {
        boolean root = (int) Files.getAttribute(base, "unix:uid") == 0;
        List<String> unshare = List.of("unshare", root ? "-m" : "-rm");
        List<String> probe = new ArrayList<>(unshare);
        probe.add("true");
        Requirements.that(
                new ProcessBuilder(probe).start().waitFor() == 0,
                "needs mount namespaces: " + String.join(" ", probe));
        // A container's overlay keeps its notes in trusted attributes, which need the host's root.
        String script =
                "set -e; cd \"$1\"; mkdir -p -m 755 lower upper \"$2\"; mkdir work; cd lower; "
                        + fill
                        + "; cd ..; mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work"
                        + (root ? "" : ",userxattr")
                        + " overlay \"$2\"; shift 2; exec \"$@\"";
        List<String> command = new ArrayList<>(unshare);
        command.addAll(List.of("sh", "-c", script, "sh", base.toString(), overlaid));
        if (!root) {
            String uid = Files.getAttribute(base, "unix:uid").toString();
            String gid = Files.getAttribute(base, "unix:gid").toString();
            command.addAll(List.of("unshare", "--user", "--map-user=" + uid, "--map-group=" + gid));
        }
        command.addAll(
                ChildJvm.command(
                        OverlaidMain.class,
                        repo,
                        base.toString(),
                        Requirements.bwrap().toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    }
}
