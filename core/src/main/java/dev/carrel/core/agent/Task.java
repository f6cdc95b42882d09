package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentAdapter;
import dev.carrel.core.adapter.Invocation;
import dev.carrel.core.adapter.Launch;
import dev.carrel.core.adapter.TokenUsage;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.policy.ResourceLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A request with everything that was found out before it can start.
 *
 * @param settings of its backend
 * @param credentials what its process is given
 */
record Task(
        AgentAdapter adapter,
        Backend settings,
        Credentials credentials,
        AgentRequest request,
        AgentProgram program,
        AgentHosts hosts) {

    String backend() {
        return adapter.name();
    }

    /** The model that was asked for. */
    Optional<String> model() {
        return request.model().or(settings::model);
    }

    /**
     * The words of the adapter's call.
     *
     * @param held the conversations of the place where it works
     */
    Invocation invocation(Conversations held, boolean repositoryConfiguration) {
        return new Invocation(
                request.prompt(),
                request.resume()
                        .<Invocation.Conversation>map(id -> resumed(held, id))
                        .orElseGet(() ->
                                new Invocation.Conversation.New(UUID.randomUUID().toString())),
                model(),
                settings.baseUrl(),
                settings.maxTurns(),
                settings.extraArguments(),
                repositoryConfiguration);
    }

    private Invocation.Conversation resumed(Conversations held, String id) {
        return new Invocation.Conversation.Resumed(
                id,
                held.last(backend(), id).map(Conversations.Turn::totals).orElse(TokenUsage.NONE));
    }

    /** The program and its arguments. */
    List<String> words(Launch launch) {
        List<String> words = new ArrayList<>();
        words.add(program.executable().toString());
        words.addAll(launch.arguments());
        return words;
    }

    /** What it may use; a smaller limit of the session holds, too. */
    ResourceLimits limits(ResourceLimits session) {
        long memory = Math.min(settings.memory(), session.memory().orElse(Long.MAX_VALUE));
        ResourceLimits own =
                new ResourceLimits(
                        OptionalLong.of(memory),
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.of(settings.timeout()),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        false);
        return own.overriddenBy(request.limits());
    }

    /** The variables besides those that every process has where it runs; the keys among them. */
    Map<String, String> variables(Map<String, String> ofAdapter) {
        Map<String, String> all = new LinkedHashMap<>();
        // It writes into a pipe: no colours, no questions.
        all.put("TERM", "dumb");
        all.put("NO_COLOR", "1");
        all.putAll(ofAdapter);
        all.putAll(settings.environment());
        all.putAll(credentials.variables());
        return all;
    }

    /** The name of one of its settings. */
    String setting(String key) {
        return "external_agent.backends." + backend() + "." + key;
    }
}
