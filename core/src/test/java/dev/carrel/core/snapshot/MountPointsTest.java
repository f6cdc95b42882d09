package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountPointsTest {

    private static final List<String> LINES =
            List.of(
                    "22 1 8:1 / / rw - ext4 /dev/a rw",
                    "23 22 8:1 / /work rw - ext4 /dev/b rw",
                    "24 22 8:1 / /work/my\\040app/data\\012x rw - ext4 /dev/c rw");

    @Test
    void mountBelowIsFoundWithItsRealName() {
        assertThat(MountPoints.firstBelow(Path.of("/work/my app"), LINES))
                .hasValue("/work/my app/data\nx");
    }

    @Test
    void rootItselfMayBeAMountPoint() {
        assertThat(MountPoints.firstBelow(Path.of("/work/my app/data\nx"), LINES)).isEmpty();
        assertThat(MountPoints.firstBelow(Path.of("/work/my"), LINES)).isEmpty();
    }
}
