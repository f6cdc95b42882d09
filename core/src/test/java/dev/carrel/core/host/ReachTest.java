package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ReachTest {

    private static final Owner NOBODYS = new Owner(60919, 60919);

    private final InventedFiles files =
            new InventedFiles()
                    .folder("/root", 0, 0700)
                    .program("/root/bwrap")
                    .program("/opt/bwrap")
                    .file("/opt/private", 0, 0700)
                    .link("/opt/link", "/root/bwrap");

    @Test
    void namesTheFolderThatIsPrivate() {
        assertThat(Reach.obstacle(files, Path.of("/root/bwrap"), NOBODYS, Reach.EXECUTE))
                .contains("uid 60919 may not enter '/root' (mode 0700, owner 0)");
        assertThat(Reach.obstacle(files, Path.of("/opt/link"), NOBODYS, Reach.EXECUTE)).isPresent();
    }

    @Test
    void letsThroughWhatEverybodyMayUse() {
        assertThat(Reach.obstacle(files, Path.of("/opt/bwrap"), NOBODYS, Reach.EXECUTE)).isEmpty();
        assertThat(Reach.entering(files, Path.of("/opt"), NOBODYS)).isEmpty();
    }

    @Test
    void judgesTheFileItselfByTheClassOfTheUser() {
        assertThat(Reach.obstacle(files, Path.of("/opt/private"), NOBODYS, Reach.EXECUTE))
                .contains("uid 60919 has no access to '/opt/private' (mode 0700, owner 0)");
        assertThat(Reach.obstacle(files, Path.of("/opt/private"), new Owner(0, 0), Reach.EXECUTE))
                .isEmpty();
        // The owner's bits count alone, even where the others' would allow it.
        files.file("/opt/odd", 60919, 0077);
        assertThat(Reach.obstacle(files, Path.of("/opt/odd"), NOBODYS, Reach.EXECUTE)).isPresent();
    }

    @Test
    void namesWhatIsMissing() {
        assertThat(Reach.obstacle(files, Path.of("/none"), NOBODYS, Reach.READ))
                .contains("'/none' does not exist");
    }
}
