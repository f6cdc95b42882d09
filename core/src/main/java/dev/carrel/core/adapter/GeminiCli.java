package dev.carrel.core.adapter;

import dev.carrel.core.adapter.Invocation.Conversation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gemini CLI: {@code gemini} with what it is asked on standard input. A script for Node 20 or
 * newer, which has to be in the view. Most of what others take as options stands in its settings.
 */
final class GeminiCli implements AgentAdapter {

    private static final long MEBI = 1L << 20;

    /** What {@code --yolo} is made of; that itself has no effect in a folder without trust. */
    private static final String ALLOW_ALL =
            """
            [[rule]]
            toolName = "*"
            decision = "allow"
            priority = 999
            allowRedirection = true
            """;

    @Override
    public String name() {
        return "gemini_cli";
    }

    @Override
    public String program() {
        return "gemini";
    }

    @Override
    public String installation() {
        return "npm install -g @google/gemini-cli";
    }

    @Override
    public List<String> testedVersions() {
        return List.of("0.61.0");
    }

    @Override
    public long leastMemory() {
        return 768 * MEBI;
    }

    @Override
    public Service service(Optional<String> model) {
        return new Service(List.of("generativelanguage.googleapis.com"), List.of("GEMINI_API_KEY"));
    }

    @Override
    public Launch launch(Invocation invocation) {
        List<String> words = new ArrayList<>();
        if (invocation.repositoryConfiguration()) {
            // Without trust --yolo is lowered in silence, and every tool is refused.
            words.addAll(List.of("--yolo", "--skip-trust"));
        }
        words.addAll(List.of("-o", "stream-json"));
        switch (invocation.conversation()) {
            case Conversation.New(String id) -> words.addAll(List.of("--session-id", id));
            case Conversation.Resumed(String id, _) -> words.addAll(List.of("--resume", id));
        }
        invocation.model().ifPresent(model -> words.addAll(List.of("-m", model)));
        words.addAll(invocation.extraArguments());
        return new Launch(words, environment(invocation), files(invocation), invocation.prompt());
    }

    private static Map<String, String> environment(Invocation invocation) {
        Map<String, String> environment = new LinkedHashMap<>();
        // Else a second process gets half of the host's memory as its heap, whatever the limit is.
        environment.put("GEMINI_CLI_NO_RELAUNCH", "1");
        if (!invocation.repositoryConfiguration()) {
            environment.put("GEMINI_CLI_TRUST_WORKSPACE", "false");
        }
        invocation.baseUrl().ifPresent(url -> environment.put("GOOGLE_GEMINI_BASE_URL", url));
        return environment;
    }

    private static Map<String, String> files(Invocation invocation) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(".gemini/settings.json", GeminiCliSettings.of(invocation).toPretty() + "\n");
        if (!invocation.repositoryConfiguration()) {
            files.put(".gemini/policies/carrel.toml", ALLOW_ALL);
        }
        return files;
    }

    @Override
    public EventParser parser(Invocation invocation) {
        return new GeminiCliEvents(invocation.conversation());
    }
}
