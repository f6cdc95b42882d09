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
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of {@code codex exec --json}. Usage is the sum over the whole thread, told once, at the
 * end of a turn; a status of HTTP stands in the text of errors only.
 */
final class CodexEvents implements EventParser {

    /** Not the status of a proxy that refuses: HTTP CONNECT failed with status 403. */
    private static final Pattern STATUS =
            Pattern.compile("(?:unexpected|last) status:? ([1-5][0-9]{2})\\b");

    private static final Pattern RETRY =
            Pattern.compile("Reconnecting\\.\\.\\. [^(]*\\((.*)\\)", Pattern.DOTALL);

    private final Findings found = new Findings();
    private final TokenUsage before;
    private final OptionalInt maxTurns;
    private int turns;
    private TokenUsage usage = TokenUsage.NONE;

    CodexEvents(Conversation conversation, OptionalInt maxTurns) {
        this.maxTurns = maxTurns;
        before = conversation.used();
    }

    @Override
    public List<AgentEvent> line(String line) {
        Loose event = Loose.line(line);
        return switch (event.at("type").text()) {
            case "thread.started" -> started(event);
            case "turn.started" -> {
                found.goesOn();
                yield List.of();
            }
            case "item.started" -> called(event.at("item"));
            case "item.completed" -> completed(event.at("item"));
            case "turn.completed" -> turnCompleted(event.at("usage"));
            case "turn.failed" ->
                    List.of(found.failed(failure(event.at("error", "message").text())));
            case "error" -> error(event.at("message").text());
            default -> List.of();
        };
    }

    private List<AgentEvent> started(Loose event) {
        Optional<String> id = event.at("thread_id").someText();
        id.ifPresent(found::conversation);
        return id.<List<AgentEvent>>map(thread -> List.of(new Started(thread, Optional.empty())))
                .orElse(List.of());
    }

    private static List<AgentEvent> called(Loose item) {
        String id = item.at("id").text();
        return switch (item.at("type").text()) {
            case "command_execution" ->
                    List.of(new ToolCall(id, "shell", item.at("command").json()));
            case "mcp_tool_call" ->
                    List.of(new ToolCall(id, tool(item), item.at("arguments").json()));
            case "file_change" ->
                    List.of(new ToolCall(id, "apply_patch", item.at("changes").json()));
            case "web_search" -> List.of(new ToolCall(id, "web_search", item.at("query").json()));
            default -> List.of();
        };
    }

    private static String tool(Loose item) {
        return item.at("server").text() + "." + item.at("tool").text();
    }

    private List<AgentEvent> completed(Loose item) {
        String id = item.at("id").text();
        boolean failed = item.at("status").isText("failed") || item.at("status").isText("declined");
        return switch (item.at("type").text()) {
            case "agent_message" -> {
                found.answer(item.at("text").text());
                yield List.of(new Text(found.answer(), false));
            }
            case "command_execution" ->
                    answered(new ToolResult(id, output(item.at("aggregated_output")), failed));
            case "mcp_tool_call" -> answered(new ToolResult(id, mcpOutput(item), failed));
            case "web_search" -> answered(new ToolResult(id, "", failed));
            case "file_change" -> fileChange(item, new ToolResult(id, "", failed));
            case "error" -> List.of(found.retrying(failure(item.at("message").text())));
            default -> List.of();
        };
    }

    private static String output(Loose text) {
        return Excerpt.of(text.text());
    }

    private static String mcpOutput(Loose item) {
        return item.at("error", "message")
                .someText()
                .map(Excerpt::of)
                .orElseGet(() -> item.at("result", "content").json());
    }

    private List<AgentEvent> fileChange(Loose item, ToolResult result) {
        List<AgentEvent> events = new ArrayList<>(answered(result));
        if (!result.failed()) {
            for (Loose change : item.at("changes").each()) {
                events.add(new FileChange(change.at("path").text(), kind(change.at("kind"))));
            }
        }
        return events;
    }

    private static Change kind(Loose kind) {
        return switch (kind.text()) {
            case "add" -> Change.ADDED;
            case "delete" -> Change.DELETED;
            default -> Change.MODIFIED;
        };
    }

    /** Each use of a tool asks the model once more. */
    private List<AgentEvent> answered(ToolResult result) {
        turns++;
        if (maxTurns.isPresent() && turns >= maxTurns.getAsInt()) {
            found.giveUp(
                    new AgentFailure(Kind.TURN_LIMIT, "it used all of its " + turns + " turns"));
        }
        return List.of(result);
    }

    private List<AgentEvent> turnCompleted(Loose tokens) {
        TokenUsage totals =
                new TokenUsage(
                        tokens.at("input_tokens").count(),
                        tokens.at("cached_input_tokens").count(),
                        tokens.at("output_tokens").count(),
                        Optional.empty());
        usage = totals.minus(before);
        found.succeeded();
        return List.of(new Used(usage));
    }

    /** The last error of a turn is told again by its failure. */
    private List<AgentEvent> error(String message) {
        AgentFailure failure = failure(message);
        if (!message.startsWith("Reconnecting")) {
            found.failed(failure);
            return List.of();
        }
        return List.of(found.retrying(failure, status(message)));
    }

    /** The service's answer may stand there in JSON; the address adds nothing. */
    private static AgentFailure failure(String message) {
        Matcher retry = RETRY.matcher(message);
        String told = retry.matches() ? retry.group(1) : message;
        Optional<String> answer = Loose.line(told).at("error", "message").someText();
        int url = told.indexOf(", url: ");
        return Causes.of(status(message), answer.orElse(url < 0 ? told : told.substring(0, url)));
    }

    private static int status(String message) {
        Matcher status = STATUS.matcher(Excerpt.of(message));
        return status.find() ? Integer.parseInt(status.group(1)) : 0;
    }

    @Override
    public Optional<AgentFailure> givenUp() {
        return found.givenUp();
    }

    @Override
    public AgentReport finish(int exit, String error) {
        return found.report(exit, told(error), error, usage, before.plus(usage));
    }

    private static Optional<AgentFailure> told(String error) {
        return error.lines()
                .filter(line -> line.contains("no rollout found"))
                .map(line -> line.startsWith("Error: ") ? line.substring(7) : line)
                .map(line -> new AgentFailure(Kind.UNKNOWN_CONVERSATION, Excerpt.message(line)))
                .findFirst();
    }
}
