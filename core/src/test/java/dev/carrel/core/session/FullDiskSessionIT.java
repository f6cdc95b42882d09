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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sessions on a disk of 8 MiB. It is mounted for a child process alone, for an ordinary user in a
 * user namespace where it is root, and then the user again.
 */
class FullDiskSessionIT {

    private Path base;

    @BeforeEach
    void create() throws Exception {
        base = Files.createTempDirectory("carrel-full").toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
    }

    @AfterEach
    void remove() {
        Trees.delete(base.resolveSibling("."), base.getFileName().toString());
    }

    @Test
    @Tag("LC-05")
    void sessionThatDoesNotFitIsNotMadeAtAll() throws Exception {
        List<String> lines = on("state", "create");

        assertThat(lines).hasSize(5);
        assertThat(lines.get(0))
                .startsWith("refused: ")
                .containsIgnoringCase("space")
                .contains("free");
        assertThat(lines.get(2)).startsWith("refused: ").contains("0 free", "| free");
        assertThat(List.of(lines.get(1), lines.get(3))).containsOnly("[]");
        assertThat(lines.get(4)).isEqualTo("1 session");
    }

    @Test
    @Tag("LC-05")
    void commandThatFillsTheDiskSaysSoAndItsSessionCanBeRemoved() throws Exception {
        List<String> lines = on("state", "command");

        assertThat(lines).as(lines.toString()).hasSize(6);
        assertThat(lines.get(0)).startsWith("exit 7").contains("No space left on device");
        assertThat(lines.get(1)).isEqualTo("stopped");
        assertThat(lines.get(2)).startsWith("refused: ").contains("No space left", "| free");
        assertThat(lines.subList(3, 6)).containsExactly("done", "[]", "one");
    }

    @Test
    @Tag("LC-05")
    void applyThatDoesNotFitChangesNothing() throws Exception {
        List<String> lines = on("project", "apply");

        assertThat(lines).hasSize(7);
        assertThat(lines.get(0)).startsWith("refused: applying writes ").contains("| free");
        assertThat(lines.get(1)).startsWith("refused: ").contains("no space left", "| free");
        assertThat(lines.subList(2, 7))
                .containsExactly("one", "[a.txt, filler]", "done", "two", "[a.txt, b.bin]");
    }

    private List<String> on(String small, String work) throws Exception {
        Path disk = Files.createDirectory(base.resolve(small));
        boolean root = (int) Files.getAttribute(base, "unix:uid") == 0;
        List<String> unshare = List.of("unshare", root ? "-m" : "-rm");
        List<String> probe = new ArrayList<>(unshare);
        probe.add("true");
        Requirements.that(
                new ProcessBuilder(probe).start().waitFor() == 0,
                "needs mount namespaces: " + String.join(" ", probe));
        List<String> command = new ArrayList<>(unshare);
        command.addAll(
                List.of(
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=8m,mode=711 none \"$1\" || exit 9; shift; exec \"$@\"",
                        "sh",
                        disk.toString()));
        if (!root) {
            String uid = Files.getAttribute(base, "unix:uid").toString();
            String gid = Files.getAttribute(base, "unix:gid").toString();
            command.addAll(List.of("unshare", "--user", "--map-user=" + uid, "--map-group=" + gid));
        }
        command.addAll(
                ChildJvm.command(
                        FullDiskMain.class,
                        work,
                        base.toString(),
                        Requirements.bwrap().toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    }
}
