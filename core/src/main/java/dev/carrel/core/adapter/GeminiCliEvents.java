package dev.carrel.core.adapter;

import dev.carrel.core.adapter.AgentEvent.Started;
import dev.carrel.core.adapter.AgentEvent.Text;
import dev.carrel.core.adapter.AgentEvent.ToolCall;
import dev.carrel.core.adapter.AgentEvent.ToolResult;
import dev.carrel.core.adapter.AgentEvent.Used;
import dev.carrel.core.adapter.AgentFailure.Kind;
import dev.carrel.core.adapter.Invocation.Conversation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The lines of {@code -o stream-json}. Some exit codes mean something: 41 no key, 42 no such
 * conversation, 53 no turns left; an error of the service is its status modulo 256.
 */
final class GeminiCliEvents implements EventParser {

    private static final int NO_KEY = 41;
    private static final int NO_CONVERSATION = 42;
    private static final int NO_TURNS = 53;

    /** What standard error always has. */
    private static final List<String> NOISE = List.of("Warning:", "YOLO mode", "Ripgrep");

    private final Findings found = new Findings();
    private final TokenUsage before;
    private TokenUsage usage = TokenUsage.NONE;
    private boolean newAnswer = true;

    GeminiCliEvents(Conversation conversation) {
        before = conversation.used();
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
        if (piece && !newAnswer) {
            found.more(text);
        } else {
            found.answer(text);
        }
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
        found.model(busiest(stats.at("models")));
        List<AgentEvent> events = new ArrayList<>();
        if (!usage.equals(TokenUsage.NONE)) {
            events.add(new Used(usage));
        }
        if (event.at("status").isText("success")) {
            found.succeeded();
        } else {
            events.add(found.failed(failure(event.at("error"))));
        }
        return events;
    }

    /** It may have begun as {@code auto}, and others decide which one is asked. */
    private static Optional<String> busiest(Loose models) {
        return models.names().stream()
                .filter(name -> models.at(name, "output_tokens").count() > 0)
                .max(Comparator.comparingLong(name -> models.at(name, "input_tokens").count()));
    }

    /** {@code [API Error: TEXT]}, where the text may be the service's answer in JSON. */
    private static AgentFailure failure(Loose error) {
        String message = error.at("message").text();
        if (error.at("type").isText("FatalTurnLimitedError")) {
            return new AgentFailure(Kind.TURN_LIMIT, Excerpt.message(message));
        }
        int begin = message.indexOf('{');
        Loose answer =
                begin < 0
                        ? Loose.NOTHING
                        : Loose.line(message.substring(begin, message.lastIndexOf('}') + 1));
        Loose cause = answer.at("error");
        return Causes.of(cause.at("code").count(), cause.at("message").someText().orElse(message));
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
            case NO_KEY -> said(Kind.AUTHENTICATION, error);
            case NO_CONVERSATION -> said(Kind.UNKNOWN_CONVERSATION, error);
            case NO_TURNS -> said(Kind.TURN_LIMIT, error);
            default -> Optional.empty();
        };
    }

    private static Optional<AgentFailure> said(Kind kind, String error) {
        String words =
                error.lines()
                        .filter(line -> NOISE.stream().noneMatch(line::startsWith))
                        .collect(Collectors.joining(" "));
        return Optional.of(new AgentFailure(kind, Excerpt.message(words)));
    }
}
