package dev.carrel.core.config;

import static dev.carrel.core.config.SettingsFiles.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.Retention;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A codumentor.yaml: what concerns Carrel counts, and nothing else is touched. */
class CodumentorTest {

    private static final String DOCUMENTED =
            """
            plugins:
              - module: codumentor.plugins.workspace_isolation
                class: WorkspaceIsolationPlugin
                priority: 5
                args:
                  enabled: true
                  mode: overlay                    # or host_readonly
                  workspace_base: ~/.codumentor/workspaces
                  workspace_ttl: 86400             # orphaned snapshot TTL (24h)
                  persistent_home: true
                  session_tmp: true
                  subagent_isolation: shared       # or isolated

                  sandbox:
                    unshare_net: true
                    seccomp: default
                    env_mode: minimal

                  integration:                     # used when subagent_isolation: isolated
                    enabled: true
                    auto_commit: true
                    ai_merge: true

                  snapshots:
                    enabled: true
                    shared: true
                    upper_dir_ttl: 2592000         # 30 days
                    cleanup_interval: 3600
                    min_free_gb: 5

                  project_setup:
                    enabled: true
                    timeout_s: 600
                    cache_budget_bytes: 5368709120 # 5 GiB
                    failed_ttl_s: 86400
                    auto_build: true
            """;

    @TempDir Path directory;
    private SettingsFiles files;
    private Path repository;

    @BeforeEach
    void home() throws IOException {
        files = new SettingsFiles(directory);
        repository = files.repository("src/app");
    }

    private Configuration load(String text) {
        files.write("src/codumentor.yaml", text);
        return files.load(repository);
    }

    private List<String> problems(String text) {
        files.write("src/codumentor.yaml", text);
        return files.problems(repository);
    }

    @Test
    void theDocumentedFileIsUnderstood() {
        Configuration loaded = load(DOCUMENTED);

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.workspaceBase()).contains(files.home.resolve(".codumentor/workspaces"));
        assertThat(loaded.retention()).isEqualTo(Retention.DEFAULT);
        assertThat(loaded.disabled()).isEmpty();
        assertThat(ToCome.in(loaded)).isEmpty();
        assertThat(loaded.set("workspace_ttl").orElseThrow().origin().orElseThrow().at())
                .isEqualTo(new Position(9, 22));
    }

    @Test
    void hasAPlaceForSessionsAndATierOfItsOwn() {
        Configuration loaded = load("llm: {model: x}\n");

        Path base =
                files.uid == 0
                        ? Path.of("/var/lib/carrel/workspaces")
                        : files.home.resolve(".codumentor/workspaces");
        assertThat(loaded.workspaceBase()).contains(base);
        assertThat(value(loaded, "external_agent.default_sandbox_tier")).isEqualTo("0");
    }

    @Test
    void whatBelongsToOthersIsNotComplainedAbout() {
        Configuration loaded =
                load(
                        """
                        x: &shared {a: 1, a: 2}
                        y: *shared
                        snadbox: {seccomp: x}
                        plugins:
                          - just a text
                          - module: other.plugin
                            args: {enabled: maybe, <<: *shared, z: !!python/name:x 1}
                          - module: codumentor.plugins.workspace_isolation
                            class: WorkspaceIsolationPlugin
                            enabled: whatever
                            args: {sandbox: {seccomp: enforce}}
                        """);

        assertThat(loaded.problems()).isEmpty();
        assertThat(value(loaded, "sandbox.seccomp")).isEqualTo("enforce");
    }

    @Test
    void whatBelongsToCarrelIs() {
        assertThat(
                        problems(
                                """
                                plugins:
                                - module: codumentor.plugins.workspace_isolation
                                  args: &a
                                    secomp: x
                                    enabled: 3
                                """))
                .containsExactly(
                        "src/codumentor.yaml:3:9: anchors (&a) are not allowed",
                        "src/codumentor.yaml:4:5: secomp: there is no such key; did you mean sandbox.seccomp?",
                        "src/codumentor.yaml:5:14: enabled: '3' is not allowed; use true or false");
        assertThat(
                        problems(
                                """
                                plugins:
                                - module: codumentor.plugins.workspace_isolation
                                  args:
                                    seccomp: x
                                    enabled: 3
                                """))
                .containsExactly(
                        "src/codumentor.yaml:4:5: seccomp: there is no such key; did you mean"
                                + " sandbox.seccomp?",
                        "src/codumentor.yaml:5:14: enabled: '3' is not allowed; use true or false");
        assertThat(
                        problems(
                                """
                                plugins:
                                - module: codumentor.plugins.workspace_isolation
                                - module: codumentor.plugins.workspace_isolation
                                """))
                .containsExactly(
                        "src/codumentor.yaml:3:3: the plugin codumentor.plugins.workspace_isolation is"
                                + " there twice");
    }

    @Test
    void anAgentMayStandByItselfOrBeAPlugin() {
        String byItself = "external_agent: {backends: {codex: {memory: 1G}}}\n";
        String plugin =
                """
                plugins:
                - module: codumentor.plugins.external_agent
                  args: {default_sandbox_tier: 1}
                """;

        assertThat(value(load(byItself), "external_agent.backends.codex.memory")).isEqualTo("1G");
        assertThat(value(load(plugin), "external_agent.default_sandbox_tier")).isEqualTo("1");
        assertThat(problems(plugin + byItself))
                .containsExactly(
                        "src/codumentor.yaml:3:9: external_agent: it is there twice, as a plugin and by"
                                + " itself");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- a\n",
                "text\n",
                "plugins: {module: codumentor.plugins.workspace_isolation}\n",
                "plugins: []\nplugins: []\n",
                "x: &x []\nplugins: *x\n",
                "x: &x {module: codumentor.plugins.workspace_isolation}\nplugins:\n- *x\n",
                "x: &x codumentor.plugins.workspace_isolation\nplugins:\n- module: *x\n",
                "plugins:\n- <<: {module: codumentor.plugins.workspace_isolation}\n",
                "plugins:\n- module: codumentor.plugins.workspace_isolation\n  args: {}\n  args: {}\n"
            })
    void whatCouldHideOurSettingsIsAnError(String text) {
        files.write("src/codumentor.yaml", text);

        assertThatThrownBy(() -> files.load(repository)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void anchorsAndAliasesOfOtherPluginsAreLeftToThem() {
        files.write(
                "src/codumentor.yaml",
                "x: &x {a: 1}\nplugins:\n- module: other\n  <<: *x\n  args: *x\n- &y text\n");

        assertThat(files.problems(repository)).isEmpty();
    }
}
