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

/**
 * The lines of {@code --format json}. The first comes with the first answer of the model only; a
 * tool is told of when it has answered; each step has its own usage.
 */
final class OpencodeEvents implements EventParser {

    private final Findings found = new Findings();
    private final TokenUsage before;
    private final OptionalInt maxTurns;
    private int turns;
    private TokenUsage usage = TokenUsage.NONE;

    OpencodeEvents(Conversation conversation, OptionalInt maxTurns) {
        this.maxTurns = maxTurns;
        before = conversation.used();
    }

    @Override
    public List<AgentEvent> line(String line) {
        Loose event = Loose.line(line);
        List<AgentEvent> events = new ArrayList<>(started(event));
        Loose part = event.at("part");
        switch (event.at("type").text()) {
            case "text" -> {
                found.answer(part.at("text").text());
                events.add(new Text(found.answer(), false));
            }
            case "tool_use" -> events.addAll(toolUse(part));
            case "step_start" -> found.goesOn();
            case "step_finish" -> events.add(stepFinished(part));
            case "error" -> events.add(found.failed(failure(event.at("error"))));
            default -> {}
        }
        return events;
    }

    private List<AgentEvent> started(Loose event) {
        Optional<String> id = event.at("sessionID").someText();
        if (id.isEmpty() || found.conversation().isPresent()) {
            return List.of();
        }
        found.conversation(id.get());
        return List.of(new Started(id.get(), Optional.empty()));
    }

    private static List<AgentEvent> toolUse(Loose part) {
        String id = part.at("callID").text();
        Loose state = part.at("state");
        boolean failed = state.at("status").isText("error") || exit(state) != 0;
        String output = state.at("error").someText().orElseGet(() -> state.at("output").text());
        List<AgentEvent> events = new ArrayList<>();
        events.add(new ToolCall(id, part.at("tool").text(), state.at("input").json()));
        events.add(new ToolResult(id, Excerpt.of(output), failed));
        if (!failed && part.at("tool").isText("write")) {
            Change change =
                    state.at("metadata", "exists").isTrue() ? Change.MODIFIED : Change.ADDED;
            state.at("metadata", "filepath")
                    .someText()
                    .ifPresent(path -> events.add(new FileChange(path, change)));
        }
        return events;
    }

    private static long exit(Loose state) {
        return state.at("metadata", "exit").count();
    }

    private AgentEvent stepFinished(Loose part) {
        Loose tokens = part.at("tokens");
        long cached = tokens.at("cache", "read").count();
        usage =
                usage.plus(
                        new TokenUsage(
                                tokens.at("input").count()
                                        + tokens.at("cache", "write").count()
                                        + cached,
                                cached,
                                tokens.at("output").count() + tokens.at("reasoning").count(),
                                part.at("cost").number()));
        turns++;
        if (part.at("reason").isText("stop")) {
            found.succeeded();
        } else if (maxTurns.isPresent() && turns >= maxTurns.getAsInt()) {
            found.giveUp(
                    new AgentFailure(Kind.TURN_LIMIT, "it used all of its " + turns + " turns"));
        }
        return new Used(usage);
    }

    private static AgentFailure failure(Loose error) {
        String message =
                error.at("data", "message")
                        .someText()
                        .or(() -> error.at("message").someText())
                        .orElseGet(() -> error.at("name").text());
        // A proxy that refuses answers 403, too, but in plain text.
        Optional<String> body = error.at("data", "responseBody").someText();
        boolean service = body.isEmpty() || body.get().stripLeading().startsWith("{");
        return Causes.of(service ? error.at("data", "statusCode").count() : 0, message);
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
        return error.contains("Session not found")
                ? Optional.of(new AgentFailure(Kind.UNKNOWN_CONVERSATION, Excerpt.message(error)))
                : Optional.empty();
    }
}
