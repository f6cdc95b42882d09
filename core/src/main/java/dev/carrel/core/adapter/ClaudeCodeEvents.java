package dev.carrel.core.adapter;

import dev.carrel.core.adapter.AgentEvent.Change;
import dev.carrel.core.adapter.AgentEvent.FileChange;
import dev.carrel.core.adapter.AgentEvent.Started;
import dev.carrel.core.adapter.AgentEvent.Text;
import dev.carrel.core.adapter.AgentEvent.ToolCall;
import dev.carrel.core.adapter.AgentEvent.ToolResult;
import dev.carrel.core.adapter.AgentEvent.Used;
import dev.carrel.core.adapter.AgentFailure.Kind;
import dev.carrel.core.adapter.Invocation.Conversation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The lines of {@code --output-format stream-json}. An error of the service comes as a result of
 * the subtype {@code success} with {@code is_error}; the costs of a result are those of the whole
 * conversation, what came with this run is in {@code model_usage_since_last_result}.
 */
final class ClaudeCodeEvents implements EventParser {

    private final Findings found = new Findings();
    private final TokenUsage before;
    private TokenUsage settled = TokenUsage.NONE;
    private TokenUsage pending = TokenUsage.NONE;
    private String message = "";

    ClaudeCodeEvents(Conversation conversation) {
        before = conversation.used();
    }

    @Override
    public List<AgentEvent> line(String line) {
        Loose event = Loose.line(line);
        return switch (event.at("type").text()) {
            case "system" -> system(event);
            case "assistant" -> assistant(event);
            case "user" -> user(event);
            case "result" -> result(event);
            default -> List.of();
        };
    }

    private List<AgentEvent> system(Loose event) {
        return switch (event.at("subtype").text()) {
            case "init" -> started(event);
            case "api_retry" -> retry(event);
            default -> List.of();
        };
    }

    /** It comes once for each prompt that is worked on. */
    private List<AgentEvent> started(Loose event) {
        Optional<String> id = event.at("session_id").someText();
        found.model(event.at("model").someText());
        if (id.isEmpty() || found.conversation().equals(id)) {
            return List.of();
        }
        found.conversation(id.get());
        return List.of(new Started(id.get(), event.at("model").someText()));
    }

    private List<AgentEvent> retry(Loose event) {
        long status = event.at("error_status").count();
        String what = event.at("error").someText().orElse("unknown");
        String told =
                status == 0
                        ? "the service did not answer"
                        : "the service answered " + status + ": " + what;
        AgentFailure failure = Causes.of(status, told);
        return List.of(found.retrying(failure, status));
    }

    private List<AgentEvent> assistant(Loose event) {
        if (event.at("is_api_error_message").isTrue()) {
            return List.of(); // the result tells it, too
        }
        found.goesOn();
        List<AgentEvent> events = new ArrayList<>();
        boolean own = event.at("parent_tool_use_id").text().isEmpty();
        for (Loose part : event.at("message", "content").each()) {
            switch (part.at("type").text()) {
                case "text" -> {
                    if (own) {
                        part.at("text").someText().ifPresent(text -> events.add(said(text)));
                    }
                }
                case "tool_use" ->
                        events.add(
                                new ToolCall(
                                        part.at("id").text(),
                                        part.at("name").text(),
                                        part.at("input").json()));
                default -> {}
            }
        }
        usage(event.at("message"), events);
        return events;
    }

    private Text said(String text) {
        found.answer(text);
        return new Text(found.answer(), false);
    }

    /** Each part of one answer comes by itself, with the usage of all of it. */
    private void usage(Loose answer, List<AgentEvent> events) {
        String id = answer.at("id").text();
        TokenUsage used = tokens(answer.at("usage"));
        if (!id.equals(message)) {
            message = id;
            pending = pending.plus(used);
            events.add(new Used(settled.plus(pending)));
        }
    }

    private static TokenUsage tokens(Loose usage) {
        long cached = usage.at("cache_read_input_tokens").count();
        long input =
                usage.at("input_tokens").count()
                        + usage.at("cache_creation_input_tokens").count()
                        + cached;
        return new TokenUsage(input, cached, usage.at("output_tokens").count(), Optional.empty());
    }

    private List<AgentEvent> user(Loose event) {
        List<AgentEvent> events = new ArrayList<>();
        for (Loose part : event.at("message", "content").each()) {
            if (part.at("type").isText("tool_result")) {
                events.add(
                        new ToolResult(
                                part.at("tool_use_id").text(),
                                Excerpt.of(output(part.at("content"))),
                                part.at("is_error").isTrue()));
            }
        }
        Loose outcome = event.at("tool_use_result");
        outcome.at("filePath")
                .someText()
                .flatMap(path -> change(outcome).map(change -> new FileChange(path, change)))
                .ifPresent(events::add);
        return events;
    }

    /** A file that was only read has neither. */
    private static Optional<Change> change(Loose outcome) {
        if (outcome.at("type").isText("create")) {
            return Optional.of(Change.ADDED);
        }
        return outcome.at("structuredPatch").value().isPresent()
                ? Optional.of(Change.MODIFIED)
                : Optional.empty();
    }

    private static String output(Loose content) {
        return content.someText()
                .orElseGet(() ->
                        content.each().stream()
                                .map(part -> part.at("text").text())
                                .collect(Collectors.joining("\n")));
    }

    private List<AgentEvent> result(Loose event) {
        settle(event);
        List<AgentEvent> events = new ArrayList<>();
        if (!settled.equals(TokenUsage.NONE)) {
            events.add(new Used(settled));
        }
        if (event.at("is_error").isFalse() && event.at("subtype").isText("success")) {
            event.at("result").someText().ifPresent(found::answer);
            found.succeeded();
        } else {
            events.add(found.failed(failure(event)));
        }
        return events;
    }

    private void settle(Loose event) {
        TokenUsage since =
                event.at("model_usage_since_last_result").members().stream()
                        .map(ClaudeCodeEvents::ofModel)
                        .reduce(TokenUsage.NONE, TokenUsage::plus);
        settled = settled.plus(since.equals(TokenUsage.NONE) ? tokens(event.at("usage")) : since);
        pending = TokenUsage.NONE;
    }

    private static TokenUsage ofModel(Loose usage) {
        long cached = usage.at("cacheReadInputTokens").count();
        long input =
                usage.at("inputTokens").count()
                        + usage.at("cacheCreationInputTokens").count()
                        + cached;
        return new TokenUsage(
                input, cached, usage.at("outputTokens").count(), usage.at("costUSD").number());
    }

    private static AgentFailure failure(Loose event) {
        String errors =
                event.at("errors").each().stream()
                        .map(Loose::text)
                        .collect(Collectors.joining("; "));
        String subtype = event.at("subtype").text();
        String told = event.at("result").someText().orElse(errors.isBlank() ? subtype : errors);
        if (subtype.equals("error_max_turns")) {
            return new AgentFailure(Kind.TURN_LIMIT, Excerpt.message(told));
        }
        if (errors.startsWith("No conversation found")) {
            return new AgentFailure(Kind.UNKNOWN_CONVERSATION, Excerpt.message(told));
        }
        return Causes.of(event.at("api_error_status").count(), told);
    }

    @Override
    public Optional<AgentFailure> givenUp() {
        return found.givenUp();
    }

    @Override
    public AgentReport finish(int exit, String error) {
        TokenUsage usage = settled.plus(pending);
        return found.report(exit, told(error), error, usage, before.plus(usage));
    }

    private static Optional<AgentFailure> told(String error) {
        return error.contains("No conversation found")
                ? Optional.of(new AgentFailure(Kind.UNKNOWN_CONVERSATION, Excerpt.message(error)))
                : Optional.empty();
    }
}
