package dev.carrel.core.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract with systemd-run(1), which is another program here. */
class SystemdScopeTest {

    private static final ResourceLimits LIMITS = ResourceLimits.DEFAULT.withMemory(1L << 30);

    @TempDir private Path machine;
    private final List<RunningProcess> started = new ArrayList<>();
    private final ProcessRunner runner =
            command -> {
                RunningProcess process = new HostProcessRunner().start(command);
                started.add(process);
                return process;
            };

    private SystemdScope scope(List<String> systemdRun) throws Exception {
        Files.createDirectories(machine.resolve("system"));
        Files.createDirectories(machine.resolve("user/systemd/private"));
        return new SystemdScope(
                machine.resolve("system"),
                Optional.of(machine.resolve("user").toString()),
                systemdRun,
                runner);
    }

    @Test
    void itIsNotAskedWhereSystemdDoesNotRun() {
        SystemdScope none =
                new SystemdScope(
                        machine.resolve("system"), Optional.empty(), List.of("false"), runner);
        assertThatThrownBy(() -> none.enforce("carrel-a", ResourceLimits.NONE, LIMITS))
                .isInstanceOf(Refused.class)
                .hasMessage("systemd does not run here");
        assertThat(started).isEmpty();
    }

    @Test
    void itIsAskedOnceAndARefusalIsRemembered() throws Exception {
        SystemdScope scope = scope(List.of("/bin/sh", "-c", "exit 1"));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> scope.enforce("carrel-a", ResourceLimits.NONE, LIMITS))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("gave no scope");
        }
        assertThat(started).hasSize(1);
    }

    @Test
    void groupsAreMadeInTheScopeThatItNamesWhileItsHolderLives() throws Exception {
        Path top = CgroupTree.read(Path.of("/proc/self")).v2Top().orElse(machine);
        // The scope's own script is not run: its first line is what counts.
        SystemdScope scope = scope(List.of("/bin/sh", "-c", "echo /none/such.scope; exec cat"));
        assertThatThrownBy(() -> scope.enforce("carrel-a", ResourceLimits.NONE, LIMITS))
                .isInstanceOf(Refused.class)
                .hasMessageContaining(top.resolve("none/such.scope").toString());
        assertThat(started.getFirst().isAlive()).isTrue();
        scope.close();
        started.getFirst().awaitExit();
        assertThat(started.getFirst().isAlive()).isFalse();
    }

    @Test
    void theHolderLeavesTheScopeHandsControllersDownAndWaits() throws Exception {
        // What the script does, on a tree of ordinary files: the group is the one of this process.
        String group =
                Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
                        .filter(line -> line.startsWith("0::"))
                        .map(line -> line.substring(3))
                        .findFirst()
                        .orElse("");
        Path tree = Files.createDirectories(machine.resolve("tree" + group));
        Files.createDirectories(tree);
        RunningProcess holder =
                new HostProcessRunner()
                        .start(
                                Command.of(
                                                "/bin/sh",
                                                "-c",
                                                SystemdScope.HOLDER,
                                                "sh",
                                                machine.resolve("tree").toString())
                                        .withEnvironment(
                                                Map.of(
                                                        "PATH",
                                                        Command.BARE_ENVIRONMENT.getOrDefault(
                                                                "PATH", "")))
                                        .withStreams(
                                                new Command.Input.Piped(),
                                                new Command.Output.Piped(),
                                                new Command.Output.Captured()));
        byte[] line = new byte[group.length() + 1];
        assertThat(holder.output().readNBytes(line, 0, line.length)).isEqualTo(line.length);
        assertThat(new String(line, java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo(group + "\n");
        assertThat(tree.resolve("holder/cgroup.procs")).hasContent("0");
        assertThat(tree.resolve("cgroup.subtree_control")).hasContent("+memory +pids +cpu");
        assertThat(holder.isAlive()).isTrue();
        holder.input().close();
        holder.awaitExit();
        assertThat(holder.await().exit()).isZero();
    }
}
