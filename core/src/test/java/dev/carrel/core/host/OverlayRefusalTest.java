package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OverlayRefusalTest {

    private final MountTable table =
            MountTable.read(
                    new InventedFiles()
                            .text(
                                    "/proc/self/mountinfo",
                                    "22 1 0:20 / / rw,relatime - overlay overlay rw",
                                    "23 22 8:1 / /data rw,relatime shared:1 - ext4 /dev/vda rw",
                                    "24 23 0:9 / /data/my\\040repo/cache rw - tmpfs tmpfs rw",
                                    "25 22 0:8 / /net rw - nfs4 server:/x rw",
                                    "not a mount"));

    @Test
    void namesAnUpperThatLiesOnAnOverlay() {
        assertThat(cause("/var/lib/carrel", true)).contains("it lies on an overlay itself");
    }

    @Test
    void namesAFileSystemWithoutUserAttributes() {
        assertThat(cause("/net/state", false)).contains("(nfs4) has no user attributes");
    }

    @Test
    void namesAMountBelowALower() {
        assertThat(cause("/data", true, "/data/my repo"))
                .contains("'/data/my repo/cache' is mounted below '/data/my repo'");
    }

    @Test
    void namesALowerThatLiesOnAnOverlay() {
        assertThat(cause("/data", true, "/home/repo")).contains("'/home/repo' lies on an overlay");
    }

    @Test
    void quotesTheAttemptWhereNothingIsKnown() {
        assertThat(cause("/data", true, "/data/other")).contains("'exit 1' (file system ext4)");
    }

    private String cause(String upper, boolean attributes, String... lowers) {
        List<Path> below = List.of(lowers).stream().map(Path::of).toList();
        return new OverlayRefusal(Path.of(upper), below, "exit 1")
                .explain(table, attributes)
                .message();
    }
}
