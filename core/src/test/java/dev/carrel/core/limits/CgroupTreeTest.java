package dev.carrel.core.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupTreeTest {

    @TempDir private Path self;

    private CgroupTree read(String mountinfo, String cgroup) throws IOException {
        Files.writeString(self.resolve("mountinfo"), mountinfo);
        Files.writeString(self.resolve("cgroup"), cgroup);
        return CgroupTree.read(self);
    }

    @Test
    void aTreeForEachControllerBesideTheUnifiedOne() throws Exception {
        CgroupTree tree =
                read(
                        """
                        22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw
                        34 30 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
                        31 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
                        40 30 0:37 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
                        """,
                        """
                        9:name=systemd:/
                        4:memory:/users/ann
                        2:cpu,cpuacct:/
                        0::/
                        """);
        Path root = Path.of("/sys/fs/cgroup");
        assertThat(tree.v1())
                .isEqualTo(
                        Map.of(
                                "memory", root.resolve("memory/users/ann"),
                                "cpu", root.resolve("cpu,cpuacct"),
                                "cpuacct", root.resolve("cpu,cpuacct")));
        assertThat(tree.v2()).contains(root.resolve("unified"));
        assertThat(tree.v2Top()).contains(root.resolve("unified"));
    }

    @Test
    void onlyTheUnifiedTree() throws Exception {
        CgroupTree tree =
                read(
                        "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
                        "0::/user.slice/user-1000.slice/user@1000.service/app.slice/shell.scope\n");
        assertThat(tree.v1()).isEmpty();
        assertThat(tree.v2())
                .contains(
                        Path.of(
                                "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/shell.scope"));
    }

    @Test
    void aContainerSeesAPartOfTheTreeAsTheWhole() throws Exception {
        CgroupTree tree =
                read(
                        """
                        34 30 0:31 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory
                        35 30 0:32 /elsewhere /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids
                        """,
                        "4:memory:/docker/abc/inner\n3:pids:/docker/abc\n");
        assertThat(tree.v1()).isEqualTo(Map.of("memory", Path.of("/sys/fs/cgroup/memory/inner")));
        assertThat(tree.v2()).isEqualTo(Optional.empty());
    }

    @Test
    void withoutProcThereIsNoTree() {
        assertThatThrownBy(() -> CgroupTree.read(self)).isInstanceOf(IOException.class);
    }
}
