package dev.carrel.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskIT {

    @TempDir Path host;

    @Test
    void aFullDiskLeavesTheOldContentAndSaysSo() throws Exception {
        Path disk = Files.createDirectory(host.resolve("disk"));

        assertThat(onSmallDisk(disk).lines())
                .containsExactly(
                        "cannot write " + disk + "/f: No space left on device",
                        "free some space there, see df and df -i",
                        "old",
                        "[f]",
                        "locked lock");
    }

    private static String onSmallDisk(Path disk) throws Exception {
        Requirements.that(
                new ProcessBuilder("unshare", "-rm", "true").start().waitFor() == 0,
                "needs user namespaces: unshare -rm true");
        List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c"));
        command.add("mount -t tmpfs -o size=64k none \"$1\" || exit 9; shift; exec \"$@\"");
        command.addAll(List.of("sh", disk.toString()));
        command.addAll(ChildJvm.command(FullDiskProgram.class, disk.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }
}
