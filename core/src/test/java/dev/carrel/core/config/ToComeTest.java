package dev.carrel.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys without their feature: what would weaken a wall stops, the rest is told. */
class ToComeTest {

    @TempDir Path directory;
    private SettingsFiles files;
    private Path repository;

    @BeforeEach
    void home() throws IOException {
        files = new SettingsFiles(directory);
        repository = files.repository("src/app");
    }

    private ToCome.Missing missing(String text) {
        files.write("src/carrel.yaml", text);
        return ToCome.in(files.load(repository));
    }

    @Test
    void whatWouldWeakenAWallIsRefused() {
        Path file = files.home.resolve("src/carrel.yaml");
        assertThat(
                        missing(
                                        "mode: host_readonly\nlimits: {memory: 2G}\negress: {allow: [a.b]}\n")
                                .refused())
                .containsExactly(
                        "mode: host_readonly (" + file + ":1:7)",
                        "limits.memory: 2G (" + file + ":2:18)");
    }

    @Test
    void whatIsHarmlessIsANotice() {
        ToCome.Missing missing =
                missing(
                        "subagent_isolation: isolated\nsnapshots: {shared: false, min_free_gb: 1, enabled: false}\n");

        assertThat(missing.refused()).isEmpty();
        assertThat(missing.notices()).hasSize(3);
    }

    @Test
    void defaultsAskForNothing() {
        ToCome.Missing missing =
                missing(
                        """
                        mode: overlay
                        snapshots: {min_free_gb: 5.0, shared: true}
                        egress: {allow: []}
                        limits: {require: null}
                        """);

        assertThat(missing.refused()).isEmpty();
        assertThat(missing.notices()).isEmpty();
    }

    @Test
    void aSetUpScriptIsNamedUnlessItIsSwitchedOff() {
        Path script = files.write("src/app/.codumentor/setup.sh", "true");

        assertThat(ToCome.setUps(Configuration.NONE, List.of(repository)))
                .containsExactly(script.toString());
        assertThat(ToCome.setUps(Configuration.NONE, List.of(files.home))).isEmpty();
        files.write("src/carrel.yaml", "project_setup: {enabled: false}");
        assertThat(ToCome.setUps(files.load(repository), List.of(repository))).isEmpty();
    }
}
