package dev.carrel.core.tree;

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

/** Deleting must not go on into what is mounted inside a tree, be it the same file system. */
class MountPointDenialIT {

    @TempDir Path host;

    @Test
    void stopsAtABindMountAndGoesOnWithoutIt() throws Exception {
        Path victim = Files.createDirectory(host.resolve("victim"));
        Files.createFile(victim.resolve("file"));
        Path inner = Files.createDirectories(host.resolve("tree/inner"));

        String mounted = deleteAfter("mount --bind \"$1\" \"$2\"");

        assertThat(mounted)
                .isEqualTo(
                        "cannot remove "
                                + host
                                + "/tree: a file system is mounted on 'inner' in it");
        assertThat(inner).exists();
        assertThat(victim.resolve("file")).exists();

        assertThat(deleteAfter(":")).isEqualTo("deleted");
        assertThat(inner).doesNotExist();
        assertThat(victim.resolve("file")).exists();
    }

    private String deleteAfter(String preparation) throws Exception {
        Requirements.that(
                run(List.of("unshare", "-rm", "true")).exit() == 0,
                "needs user namespaces: unshare -rm true");
        List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c"));
        command.add(preparation + " || exit 9; shift 2; exec \"$@\"");
        command.addAll(List.of("sh", host + "/victim", host + "/tree/inner"));
        command.addAll(ChildJvm.command(DeletionProgram.class, host.toString(), "tree"));
        return run(command).output().strip();
    }

    private static Result run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Result(process.waitFor(), output);
    }

    private record Result(int exit, String output) {}
}
