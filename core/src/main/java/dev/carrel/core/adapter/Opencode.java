package dev.carrel.core.adapter;

import dev.carrel.core.adapter.Invocation.Conversation;
import dev.carrel.core.store.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * opencode: {@code opencode run}, for models of many services; which one is the part of the model's
 * name before the slash, see {@link OpencodeProvider}. A native binary that unpacks libraries into
 * /tmp and loads them. The prompt is read from standard input; its configuration comes in a
 * variable. Nothing in it limits the turns: the parser counts.
 */
final class Opencode implements AgentAdapter {

    private static final long GIBI = 1L << 30;

    @Override
    public String name() {
        return "opencode";
    }

    @Override
    public String program() {
        return "opencode";
    }

    @Override
    public String installation() {
        return "npm install -g opencode-ai";
    }

    @Override
    public List<String> testedVersions() {
        return List.of("1.18.33");
    }

    @Override
    public long leastMemory() {
        return GIBI;
    }

    /** No switch was found that keeps it from loading plugins; {@code --pure} does not either. */
    @Override
    public List<String> codeInRepository() {
        return List.of(".opencode", "opencode.json", "opencode.jsonc");
    }

    @Override
    public Service service(Optional<String> model) {
        OpencodeProvider provider = OpencodeProvider.of(model);
        return new Service(provider.hosts(), provider.keyVariables());
    }

    @Override
    public Launch launch(Invocation invocation) {
        OpencodeProvider provider = OpencodeProvider.of(invocation.model());
        List<String> words = new ArrayList<>();
        words.addAll(List.of("run", "--format", "json", "--auto"));
        provider.model().ifPresent(model -> words.addAll(List.of("-m", model)));
        if (invocation.conversation() instanceof Conversation.Resumed(String id, _)) {
            words.addAll(List.of("--session", id));
        }
        words.addAll(invocation.extraArguments());
        return new Launch(words, environment(invocation, provider), Map.of(), invocation.prompt());
    }

    private static Map<String, String> environment(
            Invocation invocation, OpencodeProvider provider) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("OPENCODE_DISABLE_AUTOUPDATE", "1");
        environment.put("OPENCODE_DISABLE_MODELS_FETCH", "1");
        environment.put("OPENCODE_DISABLE_LSP_DOWNLOAD", "1");
        if (!invocation.repositoryConfiguration()) {
            // Leaves its servers for tools alone, but not its plugins.
            environment.put("OPENCODE_DISABLE_PROJECT_CONFIG", "1");
            environment.put("OPENCODE_DISABLE_CLAUDE_CODE", "1");
        }
        environment.put(
                "OPENCODE_CONFIG_CONTENT",
                configuration(provider, invocation.baseUrl()).toCompact());
        return environment;
    }

    private static JsonObject configuration(OpencodeProvider provider, Optional<String> baseUrl) {
        JsonObject.Builder settings =
                JsonObject.builder()
                        .put("autoupdate", false)
                        .put("share", "disabled")
                        .put("snapshot", false)
                        .put("permission", JsonObject.builder().put("*", "allow").build())
                        .putStrings("enabled_providers", List.of(provider.name()));
        baseUrl.ifPresent(url ->
                settings.put(
                        "provider",
                        JsonObject.builder()
                                .put(provider.name(), provider.reachedAt(url))
                                .build()));
        return settings.build();
    }

    @Override
    public EventParser parser(Invocation invocation) {
        return new OpencodeEvents(invocation.conversation(), invocation.maxTurns());
    }
}
