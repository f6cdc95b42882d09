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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a process may have few descriptors, commands try to take the sight of their watches. */
@Timeout(120)
class FewDescriptorsDenialIT {

    private static final int MOST = 256;

    @Test
    @Tag("RS-08")
    void whoCannotBeWatchedIsEnded() throws Exception {
        Requirements.program("perl");
        Path base = Files.createTempDirectory("carrel-few").toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        try {
            List<String> command =
                    new ArrayList<>(
                            List.of("sh", "-c", "ulimit -n " + MOST + "; exec \"$@\"", "sh"));
            command.addAll(
                    ChildJvm.command(
                            FewDescriptorsMain.class,
                            base.toString(),
                            Requirements.bwrap().toString()));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            List<String> lines =
                    new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();

            assertThat(lines).as(lines.toString()).hasSize(4);
            assertThat(lines.get(0))
                    .as("memory, with no descriptor left")
                    .startsWith("137 Unwatched[why=cannot read /proc/")
                    .contains("too many open files in this process");
            assertThat(lines.get(1))
                    .as("disk, with no descriptor left")
                    .startsWith("137 Unwatched[why=cannot read /proc/");
            assertThat(lines.get(2))
                    .as("a flood at the proxy")
                    .contains("OutOfMemory[limit=50331648]");
            assertThat(lines.get(3)).as("usable").isEqualTo("7 Exited[status=7]");
        } finally {
            Trees.delete(base.resolveSibling("."), base.getFileName().toString());
        }
    }
}
