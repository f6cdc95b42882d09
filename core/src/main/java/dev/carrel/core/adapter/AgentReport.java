package dev.carrel.core.adapter;

import java.util.Optional;

/**
 * What the output of a whole run says.
 *
 * @param failure why it failed; empty: it succeeded
 * @param text its last answer; may be empty
 * @param conversation the id by which the conversation can be resumed, once it is known
 * @param model the model that answered, where it says so
 * @param usage what this run used
 * @param totals what the conversation used since its beginning, to be given to {@link
 *     Invocation.Conversation.Resumed}
 */
public record AgentReport(
        Optional<AgentFailure> failure,
        String text,
        Optional<String> conversation,
        Optional<String> model,
        TokenUsage usage,
        TokenUsage totals) {}
