package dev.carrel.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.store.JsonBoolean;
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

    private List<String> missing(String text) {
        files.write("src/carrel.yaml", text);
        return ToCome.in(files.load(repository));
    }

    @Test
    void whatBelongsToCopiesIsNoNoticeWhereTheHostIsShown() {
        files.write(
                "src/carrel.yaml",
                "project_setup: {timeout_s: 5}\nintegration: {ai_merge: false}\nsnapshots: {shared: false}\n");
        Configuration all = files.load(repository);

        assertThat(ToCome.in(all)).hasSize(3);
        assertThat(ToCome.inHostReadonly(all)).isEmpty();
    }

    @Test
    void whatASessionWithTheHostCannotHaveIsSaidOnce() {
        String asked =
                "snapshots: {enabled: true}\nproject_setup: {enabled: true}\nintegration: {enabled: true}\nsubagent_isolation: isolated\n";
        Path file = files.write("src/carrel.yaml", asked);

        assertThat(ForcedOff.asked(files.load(repository)))
                .containsExactly(
                        file
                                + ":1:22: snapshots.enabled: true is not possible with mode: host_readonly; false is used instead",
                        file
                                + ":2:26: project_setup.enabled: true is not possible with mode: host_readonly; false is used instead",
                        file
                                + ":3:24: integration.enabled: true is not possible with mode: host_readonly; false is used instead",
                        file
                                + ":4:21: subagent_isolation: isolated is not possible with mode: host_readonly; shared is used instead");

        files.write("src/carrel.yaml", asked + "mode: host_readonly\n");
        Configuration all = files.load(repository);
        assertThat(all.problems()).hasSize(4);
        assertThat(ForcedOff.asked(all)).isEmpty();
        assertThat(all.effective())
                .hasEntrySatisfying(
                        "snapshots.enabled",
                        value -> assertThat(value.value()).isEqualTo(new JsonBoolean(false)));
    }

    @Test
    void whatIsHarmlessIsANotice() {
        List<String> missing =
                missing(
                        "subagent_isolation: isolated\nsnapshots: {shared: false, min_free_gb: 1, enabled: false}\nexternal_agent: {backends: {codex: {model: x}}}\n");

        assertThat(missing)
                .hasSize(3)
                .anyMatch(text -> text.startsWith("subagent_isolation: isolated ("));
    }

    @Test
    void defaultsAskForNothing() {
        List<String> missing =
                missing(
                        """
                        mode: overlay
                        snapshots: {min_free_gb: 5.0, shared: true}
                        egress: {allow: []}
                        limits: {require: null}
                        """);

        assertThat(missing).isEmpty();
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
