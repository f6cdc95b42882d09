package dev.carrel.core.adapter;

import dev.carrel.core.adapter.AgentEvent.Started;
import dev.carrel.core.adapter.AgentEvent.Text;
import dev.carrel.core.adapter.AgentEvent.ToolCall;
import dev.carrel.core.adapter.AgentEvent.ToolResult;
import dev.carrel.core.adapter.AgentEvent.Used;
import dev.carrel.core.adapter.AgentFailure.Kind;
import dev.carrel.core.adapter.Invocation.Conversation;
import java.util.List;
import java.util.Optional;

/**
 * The lines of {@code -o stream-json}. Some exit codes mean something: 41 no key, 42 no such
 * conversation, 53 no turns left; an error of the service is its status modulo 256.
 */
final class GeminiCliEvents implements EventParser {

    private static final int NO_KEY = 41;
    private static final int NO_CONVERSATION = 42;
    private static final int NO_TURNS = 53;

    private final Findings found = new Findings();
    private final TokenUsage before;
    private TokenUsage usage = TokenUsage.NONE;
    private boolean newAnswer = true;

    GeminiCliEvents(Conversation conversation) {
        before =
                switch (conversation) {
                    case Conversation.New _ -> TokenUsage.NONE;
                    case Conversation.Resumed(_, TokenUsage used) -> used;
                };
    }

    @Override
    public List<AgentEvent> line(String line) {
        Loose event = Loose.line(line);
        return switch (event.at("type").text()) {
            case "init" -> started(event);
            case "message" -> message(event);
            case "tool_use" -> toolUse(event);
            case "tool_result" -> toolResult(event);
            case "error" -> List.of(found.retrying(failure(event)));
            case "result" -> result(event);
            default -> List.of();
        };
    }

    private List<AgentEvent> started(Loose event) {
        Optional<String> id = event.at("session_id").someText();
        Optional<String> model = event.at("model").someText();
        id.ifPresent(found::conversation);
        found.model(model);
        return id.<List<AgentEvent>>map(session -> List.of(new Started(session, model)))
                .orElse(List.of());
    }

    /** Pieces belong together until a tool is used. */
    private List<AgentEvent> message(Loose event) {
        if (!event.at("role").isText("assistant")) {
            return List.of();
        }
        String text = event.at("content").text();
        boolean piece = event.at("delta").isTrue();
        found.answer(piece && !newAnswer ? found.answer() + text : text);
        newAnswer = false;
        return List.of(new Text(text, piece));
    }

    private List<AgentEvent> toolUse(Loose event) {
        newAnswer = true;
        return List.of(
                new ToolCall(
                        event.at("tool_id").text(),
                        event.at("tool_name").text(),
                        event.at("parameters").json()));
    }

    private static List<AgentEvent> toolResult(Loose event) {
        String output =
                event.at("error", "message").someText().orElseGet(() -> event.at("output").text());
        return List.of(
                new ToolResult(
                        event.at("tool_id").text(),
                        Excerpt.of(output),
                        event.at("status").isText("error")));
    }

    private List<AgentEvent> result(Loose event) {
        Loose stats = event.at("stats");
        usage =
                new TokenUsage(
                        stats.at("input_tokens").count(),
                        stats.at("cached").count(),
                        stats.at("output_tokens").count(),
                        Optional.empty());
        if (event.at("status").isText("success")) {
            found.succeeded();
            return List.of(new Used(usage));
        }
        return List.of(new Used(usage), found.failed(failure(event.at("error"))));
    }

    private static AgentFailure failure(Loose error) {
        return Causes.of(error.at("message").text());
    }

    @Override
    public Optional<AgentFailure> givenUp() {
        return found.givenUp();
    }

    @Override
    public AgentReport finish(int exit, String error) {
        return found.report(exit, told(exit, error), error, usage, before.plus(usage));
    }

    private static Optional<AgentFailure> told(int exit, String error) {
        return switch (exit) {
            case NO_KEY -> Optional.of(new AgentFailure(Kind.AUTHENTICATION, error));
            case NO_CONVERSATION -> Optional.of(new AgentFailure(Kind.UNKNOWN_CONVERSATION, error));
            case NO_TURNS -> Optional.of(new AgentFailure(Kind.TURN_LIMIT, error));
            default -> Optional.empty();
        };
    }
}
