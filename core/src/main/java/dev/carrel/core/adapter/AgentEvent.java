package dev.carrel.core.adapter;

import java.util.Optional;

/**
 * What an agent does, as it goes. All but {@link Denied} and {@link Notice} are the agent's own
 * words: what really changed is known from the session alone.
 */
public sealed interface AgentEvent {

    /** The conversation has an id, and the agent works. */
    record Started(String conversation, Optional<String> model) implements AgentEvent {}

    /** The agent says something: a whole message, or the next piece of one. */
    record Text(String text, boolean piece) implements AgentEvent {}

    /**
     * The agent uses a tool.
     *
     * @param id belongs to the result of the same id
     * @param input what the tool is asked, in JSON; shortened
     */
    record ToolCall(String id, String tool, String input) implements AgentEvent {}

    /** A tool has answered. The output is shortened. */
    record ToolResult(String id, String output, boolean failed) implements AgentEvent {}

    /** The agent says that it changed a file. */
    record FileChange(String path, Change change) implements AgentEvent {}

    /** What was used so far in this run. */
    record Used(TokenUsage usage) implements AgentEvent {}

    /**
     * Something went wrong.
     *
     * @param retrying whether the agent tries again by itself
     */
    record Trouble(AgentFailure failure, boolean retrying) implements AgentEvent {}

    /**
     * A host could not be reached, since no rule allows it. Said by Carrel.
     *
     * @param reason which rule, for people
     * @param remedy the command that allows it
     */
    record Denied(String host, int port, String reason, Optional<String> remedy)
            implements AgentEvent {}

    /** Something that the user should know. Said by Carrel. */
    record Notice(String text) implements AgentEvent {}

    /** What happened to a file. */
    enum Change {
        ADDED,
        MODIFIED,
        DELETED
    }

    /** A word for programs: {@code tool-call}. */
    default String word() {
        return switch (this) {
            case Started _ -> "started";
            case Text _ -> "text";
            case ToolCall _ -> "tool-call";
            case ToolResult _ -> "tool-result";
            case FileChange _ -> "file-change";
            case Used _ -> "usage";
            case Trouble _ -> "error";
            case Denied _ -> "denial";
            case Notice _ -> "notice";
        };
    }
}
