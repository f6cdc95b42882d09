package dev.carrel.core.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.adapter.Invocation.Conversation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whole command lines, one word a line where there is more than one form. */
final class LaunchTest {

    private static final String ID = "00000000-0000-4000-8000-000000000001";

    private static final Invocation NEW =
            new Invocation(
                    "--do it",
                    new Conversation.New(ID),
                    Optional.empty(),
                    Optional.empty(),
                    OptionalInt.empty(),
                    List.of(),
                    false);

    private static Invocation full(String model) {
        return new Invocation(
                "--do it",
                new Conversation.Resumed("conversation-7", TokenUsage.NONE),
                Optional.of(model),
                Optional.of("https://gateway.example/v1"),
                OptionalInt.of(12),
                List.of("--extra", "word"),
                true);
    }

    private static Launch of(String name, Invocation invocation) {
        return Adapters.of(Adapters.builtIn()).find(name).launch(invocation);
    }

    private static List<String> words(String... words) {
        List<String> all = new ArrayList<>();
        for (String some : words) {
            all.addAll(List.of(some.split(" ")));
        }
        return all;
    }

    private static String environment(Launch launch) {
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(launch.environment())
                .forEach(
                        (name, value) -> lines.append(name).append('=').append(value).append('\n'));
        return lines.toString();
    }

    @Test
    void thePromptIsNeverAWordOfTheCommandLine() {
        for (AgentAdapter adapter : Adapters.builtIn()) {
            Launch launch = adapter.launch(NEW);
            assertThat(launch.input()).isEqualTo("--do it");
            assertThat(launch.arguments()).doesNotContain("--do it");
        }
    }

    @Test
    void claudeCodeBeginsAConversation() {
        Launch launch = of("claude_code", NEW);
        assertThat(launch.arguments())
                .isEqualTo(
                        words(
                                "-p --output-format stream-json --verbose",
                                "--dangerously-skip-permissions",
                                "--setting-sources user --strict-mcp-config",
                                "--session-id " + ID));
        assertThat(environment(launch))
                .isEqualTo(
                        """
                        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
                        CLAUDE_CODE_MAX_RETRIES=2
                        DISABLE_AUTOUPDATER=1
                        """);
        assertThat(launch.homeFiles()).isEmpty();
    }

    @Test
    void claudeCodeResumesWithEverything() {
        Launch launch = of("claude_code", full("opus"));
        assertThat(launch.arguments())
                .isEqualTo(
                        words(
                                "-p --output-format stream-json --verbose",
                                "--dangerously-skip-permissions",
                                "--resume conversation-7 --model opus --max-turns 12",
                                "--extra word"));
        assertThat(launch.environment())
                .containsEntry("ANTHROPIC_BASE_URL", "https://gateway.example/v1");
    }

    @Test
    void codexBeginsAConversation() {
        Launch launch = of("codex", NEW);
        assertThat(launch.arguments())
                .isEqualTo(
                        words(
                                "exec --json --skip-git-repo-check",
                                "--dangerously-bypass-approvals-and-sandbox",
                                "-c analytics.enabled=false",
                                "-c check_for_update_on_startup=false",
                                "-c skills.bundled.enabled=false",
                                "-c shell_environment_policy.ignore_default_excludes=false",
                                "--disable plugins --disable apps",
                                "--disable api_key_model_discovery",
                                "-- -"));
        assertThat(launch.environment()).isEmpty();
        assertThat(launch.homeFiles()).isEmpty();
    }

    @Test
    void codexResumesWithEverything() {
        Launch launch = of("codex", full("gpt-5.5"));
        assertThat(launch.arguments())
                .isEqualTo(
                        words(
                                "exec resume --json --skip-git-repo-check",
                                "--dangerously-bypass-approvals-and-sandbox",
                                "-c analytics.enabled=false",
                                "-c check_for_update_on_startup=false",
                                "-c skills.bundled.enabled=false",
                                "-c shell_environment_policy.ignore_default_excludes=false",
                                "--disable plugins --disable apps",
                                "--disable api_key_model_discovery",
                                "-m gpt-5.5",
                                "-c openai_base_url=\"https://gateway.example/v1\"",
                                "--extra word",
                                "-- conversation-7 -"));
    }

    @Test
    void geminiCliBeginsAConversationInAFolderWithoutTrust() {
        Launch launch = of("gemini_cli", NEW);
        assertThat(launch.arguments()).isEqualTo(words("-o stream-json --session-id " + ID));
        assertThat(environment(launch))
                .isEqualTo(
                        """
                        GEMINI_CLI_NO_RELAUNCH=1
                        GEMINI_CLI_TRUST_WORKSPACE=false
                        """);
        assertThat(launch.homeFiles())
                .isEqualTo(
                        Map.of(
                                ".gemini/settings.json",
                                """
                                {
                                  "security" : {
                                    "auth" : {
                                      "selectedType" : "gemini-api-key"
                                    },
                                    "folderTrust" : {
                                      "enabled" : false
                                    }
                                  },
                                  "privacy" : {
                                    "usageStatisticsEnabled" : false
                                  },
                                  "general" : {
                                    "enableAutoUpdate" : false,
                                    "enableAutoUpdateNotification" : false,
                                    "maxAttempts" : 3
                                  },
                                  "advanced" : {
                                    "ignoreLocalEnv" : true
                                  }
                                }
                                """,
                                ".gemini/policies/carrel.toml",
                                """
                                [[rule]]
                                toolName = "*"
                                decision = "allow"
                                priority = 999
                                allowRedirection = true
                                """));
    }

    @Test
    void geminiCliResumesWithEverything() {
        Launch launch = of("gemini_cli", full("gemini-2.5-flash"));
        assertThat(launch.arguments())
                .isEqualTo(
                        words(
                                "--yolo --skip-trust -o stream-json",
                                "--resume conversation-7 -m gemini-2.5-flash",
                                "--extra word"));
        assertThat(environment(launch))
                .isEqualTo(
                        """
                        GEMINI_CLI_NO_RELAUNCH=1
                        GOOGLE_GEMINI_BASE_URL=https://gateway.example/v1
                        """);
        assertThat(launch.homeFiles()).containsOnlyKeys(".gemini/settings.json");
        assertThat(launch.homeFiles().get(".gemini/settings.json"))
                .contains("\"maxSessionTurns\" : 12")
                .doesNotContain("folderTrust", "ignoreLocalEnv");
    }

    @Test
    void opencodeBeginsAConversationWithAnthropicsModels() {
        Launch launch = of("opencode", NEW);
        assertThat(launch.arguments()).isEqualTo(words("run --format json --auto"));
        assertThat(environment(launch))
                .isEqualTo(
                        """
                        OPENCODE_CONFIG_CONTENT={"autoupdate":false,"share":"disabled","snapshot":false,"permission":{"*":"allow"},"enabled_providers":["anthropic"]}
                        OPENCODE_DISABLE_AUTOUPDATE=1
                        OPENCODE_DISABLE_CLAUDE_CODE=1
                        OPENCODE_DISABLE_LSP_DOWNLOAD=1
                        OPENCODE_DISABLE_MODELS_FETCH=1
                        OPENCODE_DISABLE_PROJECT_CONFIG=1
                        """);
        assertThat(launch.homeFiles()).isEmpty();
    }

    @Test
    void opencodeResumesWithEverything() {
        Launch launch = of("opencode", full("openai/gpt-5.5"));
        assertThat(launch.arguments())
                .isEqualTo(
                        words(
                                "run --format json --auto -m openai/gpt-5.5",
                                "--session conversation-7 --extra word"));
        assertThat(environment(launch))
                .isEqualTo(
                        """
                        OPENCODE_CONFIG_CONTENT={"autoupdate":false,"share":"disabled","snapshot":false,"permission":{"*":"allow"},"enabled_providers":["openai"],"provider":{"openai":{"options":{"baseURL":"https://gateway.example/v1"}}}}
                        OPENCODE_DISABLE_AUTOUPDATE=1
                        OPENCODE_DISABLE_LSP_DOWNLOAD=1
                        OPENCODE_DISABLE_MODELS_FETCH=1
                        """);
    }
}
