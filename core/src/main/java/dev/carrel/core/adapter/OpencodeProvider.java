package dev.carrel.core.adapter;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.store.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The service that opencode asks, by the model: {@code PROVIDER/MODEL}. Where no model is asked for
 * it is Anthropic's, and opencode chooses among its models; a name without a provider belongs to
 * the one whose models begin so.
 *
 * @param name as opencode has it
 * @param model with its provider; empty: opencode's choice
 * @param hosts that it needs; none where only a base URL tells
 * @param keyVariables in which it finds a key
 */
record OpencodeProvider(
        String name, Optional<String> model, List<String> hosts, List<String> keyVariables) {

    private static final Map<String, OpencodeProvider> KNOWN = new LinkedHashMap<>();

    static {
        know("anthropic", "api.anthropic.com", "ANTHROPIC_API_KEY");
        know("openai", "api.openai.com", "OPENAI_API_KEY");
        know(
                "google",
                "generativelanguage.googleapis.com",
                "GOOGLE_GENERATIVE_AI_API_KEY",
                "GEMINI_API_KEY");
        know("openrouter", "openrouter.ai", "OPENROUTER_API_KEY");
        know("groq", "api.groq.com", "GROQ_API_KEY");
        know("mistral", "api.mistral.ai", "MISTRAL_API_KEY");
        know("deepseek", "api.deepseek.com", "DEEPSEEK_API_KEY");
        know("xai", "api.x.ai", "XAI_API_KEY");
    }

    private static final Map<String, String> BEGINNINGS =
            Map.of(
                    "claude", "anthropic",
                    "gpt", "openai",
                    "o3", "openai",
                    "o4", "openai",
                    "codex", "openai",
                    "gemini", "google");

    private static void know(String name, String host, String... keys) {
        KNOWN.put(name, new OpencodeProvider(name, Optional.empty(), List.of(host), List.of(keys)));
    }

    /**
     * The provider of a model.
     *
     * @throws InvalidInputException where the name does not tell it
     */
    static OpencodeProvider of(Optional<String> model) {
        return model.map(OpencodeProvider::ofModel)
                .orElseGet(() ->
                        new OpencodeProvider(
                                "anthropic", model, hostsOf("anthropic"), keysOf("anthropic")));
    }

    private static OpencodeProvider ofModel(String model) {
        int slash = model.indexOf('/');
        String name = slash < 0 ? guess(model) : model.substring(0, slash);
        if (name.isEmpty() || slash == model.length() - 1) {
            throw unclear(model);
        }
        String whole = slash < 0 ? name + "/" + model : model;
        return new OpencodeProvider(name, Optional.of(whole), hostsOf(name), keysOf(name));
    }

    private static String guess(String model) {
        return BEGINNINGS.entrySet().stream()
                .filter(entry -> model.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> unclear(model));
    }

    private static InvalidInputException unclear(String model) {
        return new InvalidInputException(
                "opencode cannot tell whose model '" + model + "' is",
                "name it as PROVIDER/MODEL, such as anthropic/claude-sonnet-4-5; known are "
                        + String.join(", ", KNOWN.keySet()));
    }

    private static List<String> hostsOf(String name) {
        return Optional.ofNullable(KNOWN.get(name)).map(OpencodeProvider::hosts).orElse(List.of());
    }

    private static List<String> keysOf(String name) {
        return Optional.ofNullable(KNOWN.get(name))
                .map(OpencodeProvider::keyVariables)
                .orElseGet(() -> List.of(ownKey(name)));
    }

    private static String ownKey(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_") + "_API_KEY";
    }

    /** Its part of the configuration. One that opencode may not know speaks as OpenAI's does. */
    JsonObject reachedAt(String url) {
        JsonObject.Builder provider = JsonObject.builder();
        JsonObject.Builder options = JsonObject.builder().put("baseURL", url);
        if (!KNOWN.containsKey(name)) {
            provider.put("npm", "@ai-sdk/openai-compatible");
            options.put("apiKey", "{env:" + ownKey(name) + "}");
            model.ifPresent(whole ->
                    provider.put(
                            "models",
                            JsonObject.builder()
                                    .put(
                                            whole.substring(name.length() + 1),
                                            JsonObject.builder().build())
                                    .build()));
        }
        return provider.put("options", options.build()).build();
    }
}
