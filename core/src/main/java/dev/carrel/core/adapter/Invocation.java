package dev.carrel.core.adapter;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One call of an agent, before an adapter has put it into words.
 *
 * @param prompt what the user asks for; may be long, and may begin with a dash
 * @param conversation a new one, or one that is resumed
 * @param model the model to use instead of the agent's own choice
 * @param baseUrl where its service is reached instead of the usual place
 * @param maxTurns how many answers of the model it may use
 * @param extraArguments words for the command line, as the user's settings have them
 * @param repositoryConfiguration whether configuration that the repository brings (hooks, servers
 *     for tools, plugins) is used; only a sandbox holds what it may start
 */
public record Invocation(
        String prompt,
        Conversation conversation,
        Optional<String> model,
        Optional<String> baseUrl,
        OptionalInt maxTurns,
        List<String> extraArguments,
        boolean repositoryConfiguration) {

    public Invocation {
        extraArguments = List.copyOf(extraArguments);
    }

    /** A conversation with an agent. */
    public sealed interface Conversation {

        /** What it had used before this call. */
        default TokenUsage used() {
            return switch (this) {
                case New _ -> TokenUsage.NONE;
                case Resumed(_, TokenUsage before) -> before;
            };
        }

        /**
         * A new one.
         *
         * @param proposedId a fresh UUID, for agents that let the caller choose
         */
        record New(String proposedId) implements Conversation {}

        /**
         * One that goes on.
         *
         * @param id as the agent named it
         * @param before what it had used until then, see {@link AgentReport#totals}
         */
        record Resumed(String id, TokenUsage before) implements Conversation {}
    }
}
