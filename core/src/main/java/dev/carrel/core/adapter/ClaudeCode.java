package dev.carrel.core.adapter;

import dev.carrel.core.adapter.Invocation.Conversation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claude Code: {@code claude -p}. The npm package brings a native binary, and the prompt is read
 * from standard input. Conversations are kept in HOME, by working directory.
 */
final class ClaudeCode implements AgentAdapter {

    private static final long MEBI = 1L << 20;

    @Override
    public String name() {
        return "claude_code";
    }

    @Override
    public String program() {
        return "claude";
    }

    @Override
    public String installation() {
        return "npm install -g @anthropic-ai/claude-code";
    }

    @Override
    public List<String> testedVersions() {
        return List.of("2.1.332");
    }

    @Override
    public long leastMemory() {
        return 512 * MEBI;
    }

    @Override
    public boolean refusesRoot() {
        return true;
    }

    @Override
    public Service service(Optional<String> model) {
        return new Service(
                List.of("api.anthropic.com"),
                List.of("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"));
    }

    @Override
    public Launch launch(Invocation invocation) {
        return new Launch(
                arguments(invocation), environment(invocation), Map.of(), invocation.prompt());
    }

    private static List<String> arguments(Invocation invocation) {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("-p", "--output-format", "stream-json", "--verbose"));
        words.add("--dangerously-skip-permissions");
        if (!invocation.repositoryConfiguration()) {
            // Without them hooks of .claude/settings.json and servers of .mcp.json are started.
            words.addAll(List.of("--setting-sources", "user", "--strict-mcp-config"));
        }
        switch (invocation.conversation()) {
            case Conversation.New(String id) -> words.addAll(List.of("--session-id", id));
            case Conversation.Resumed(String id, _) -> words.addAll(List.of("--resume", id));
        }
        invocation.model().ifPresent(model -> words.addAll(List.of("--model", model)));
        // Not in its help any more, but it works.
        invocation
                .maxTurns()
                .ifPresent(turns -> words.addAll(List.of("--max-turns", Integer.toString(turns))));
        words.addAll(invocation.extraArguments());
        return words;
    }

    private static Map<String, String> environment(Invocation invocation) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
        environment.put("DISABLE_AUTOUPDATER", "1");
        environment.put("CLAUDE_CODE_MAX_RETRIES", "2");
        invocation.baseUrl().ifPresent(url -> environment.put("ANTHROPIC_BASE_URL", url));
        return environment;
    }

    @Override
    public EventParser parser(Invocation invocation) {
        return new ClaudeCodeEvents(invocation.conversation());
    }
}
