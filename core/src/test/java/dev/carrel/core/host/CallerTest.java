package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.UnsupportedHostException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CallerTest {

    private final InventedFiles files =
            InventedFiles.system()
                    .text(
                            "/proc/self/status",
                            "Name:\tjava",
                            "Uid:\t1001\t1000\t1001\t1001",
                            "Gid:\t100\t1000\t100\t100");

    @Test
    void takesTheEffectiveUserAndTheHomeOfTheEnvironment() {
        Caller caller = Caller.current(files, Map.of("HOME", "/srv/home/../alice"));

        assertThat(caller.uid()).isEqualTo(1000);
        assertThat(caller.gid()).isEqualTo(1000);
        assertThat(caller.userName()).isEqualTo("alice");
        assertThat(caller.home()).isEqualTo(Path.of("/srv/alice"));
        assertThat(caller.isRoot()).isFalse();
    }

    @Test
    void fallsBackToTheUserFileForTheHome() {
        assertThat(Caller.current(files, Map.of("HOME", "relative")).home())
                .isEqualTo(Path.of("/home/alice"));
    }

    @Test
    void dropsRelativeEmptyAndRepeatedEntriesOfPath() {
        Caller caller =
                Caller.current(
                        files, Map.of("PATH", "::bin:.:/usr/bin:/usr/bin/:/a/../b:/usr/bin"));

        assertThat(caller.path()).containsExactly(Path.of("/usr/bin"), Path.of("/b"));
    }

    @Test
    void refusesToGuessTheUserWithoutProc() {
        assertThatThrownBy(() -> Caller.current(new InventedFiles(), Map.of()))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("/proc/self/status");
    }

    @Test
    void knowsTheUserOfThisProcess() {
        Caller caller = Caller.current();

        assertThat(caller.userName()).isEqualTo(System.getProperty("user.name"));
    }
}
