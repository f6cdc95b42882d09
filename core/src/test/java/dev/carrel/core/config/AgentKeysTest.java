package dev.carrel.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.AgentSettings.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentKeysTest {

    @TempDir Path directory;
    private SettingsFiles files;
    private Path repository;

    @BeforeEach
    void home() throws IOException {
        files = new SettingsFiles(directory);
        repository = files.repository("src/app");
    }

    private AgentSettings read(String text) {
        files.write("src/carrel.yaml", text);
        return files.load(repository).agents();
    }

    @Test
    void withoutSettingsAgentsRunInSessionsWithTwoGibibytesForFiveMinutes() {
        AgentSettings settings = read("");

        assertThat(settings).isEqualTo(AgentSettings.DEFAULT);
        assertThat(settings.tier()).isEqualTo(Tier.SANDBOX);
        assertThat(settings.backend("codex").memory()).isEqualTo(2L << 30);
        assertThat(settings.backend("codex").timeout()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void everyKeyIsRead() {
        AgentSettings settings =
                read(
                        """
                        external_agent:
                          default_sandbox_tier: 0
                          retain: never
                          backends:
                            codex:
                              enabled: false
                              program: /opt/codex
                              model: m-1
                              allowed_egress: [+a.example, b.example]
                              base_url: https://gate.example
                              memory: 1.5G
                              timeout: 90s
                              env: {A: b}
                              extra_args: [-x, --why]
                              max_turns: 7
                              key_file: /keys/codex
                              key_command: pass show codex
                              repository_config: true
                              adapter: /etc/agent.yaml
                            gemini_cli: {model: m-2}
                        """);

        assertThat(settings.tier()).isEqualTo(Tier.PROCESS);
        assertThat(settings.retain()).isEqualTo(Retain.NEVER);
        assertThat(settings.backends()).containsOnlyKeys("codex", "gemini_cli");
        Backend codex = settings.backend("codex");
        assertThat(codex.enabled()).isFalse();
        assertThat(codex.program()).contains("/opt/codex");
        assertThat(codex.model()).contains("m-1");
        assertThat(codex.allowedEgress().orElseThrow()).containsExactly("+a.example", "b.example");
        assertThat(codex.baseUrl()).contains("https://gate.example");
        assertThat(codex.memory()).isEqualTo(3L << 29);
        assertThat(codex.timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(codex.environment()).containsEntry("A", "b");
        assertThat(codex.extraArguments()).containsExactly("-x", "--why");
        assertThat(codex.maxTurns()).hasValue(7);
        assertThat(codex.keyFile()).contains(Path.of("/keys/codex"));
        assertThat(codex.keyCommand()).contains("pass show codex");
        assertThat(codex.repositoryConfiguration()).isTrue();
        assertThat(codex.adapter()).contains(Path.of("/etc/agent.yaml"));
        assertThat(settings.backend("gemini_cli").model()).contains("m-2");
    }

    @Test
    void aCodumentorFileThatSaysNothingOfTheTierKeepsTheSeparateProcess() {
        files.write("src/codumentor.yaml", "external_agent: {backends: {codex: {memory: 1G}}}\n");
        assertThat(files.load(repository).agents().tier()).isEqualTo(Tier.PROCESS);
    }
}
