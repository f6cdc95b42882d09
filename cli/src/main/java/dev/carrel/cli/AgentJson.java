package dev.carrel.cli;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.adapter.TokenUsage;
import dev.carrel.core.agent.AgentEnding;
import dev.carrel.core.agent.AgentResult;
import dev.carrel.core.agent.ChangedFile;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** An agent's events and result as JSON. */
final class AgentJson {

    private AgentJson() {}

    /** One event; {@code type} says which. */
    static Json.Fields of(AgentEvent event) {
        Json.Fields fields = Json.object().put("type", event.word());
        switch (event) {
            case AgentEvent.Started(String conversation, var model) ->
                    fields.put("conversation", conversation).putIfPresent("model", model);
            case AgentEvent.Text(String text, boolean piece) ->
                    fields.put("text", text).put("piece", piece);
            case AgentEvent.ToolCall(String id, String tool, String input) ->
                    fields.put("id", id).put("tool", tool).put("input", input);
            case AgentEvent.ToolResult(String id, String output, boolean failed) ->
                    fields.put("id", id).put("output", output).put("failed", failed);
            case AgentEvent.FileChange(String path, AgentEvent.Change change) ->
                    fields.put("path", path).put("change", word(change));
            case AgentEvent.Used(TokenUsage usage) -> fields.put("tokens", tokens(usage));
            case AgentEvent.Trouble(AgentFailure failure, boolean retrying) ->
                    fields.put("kind", word(failure.kind()))
                            .put("message", failure.message())
                            .put("retrying", retrying);
            case AgentEvent.Denied denied -> denied(fields, denied);
            case AgentEvent.Notice(String text) -> fields.put("text", text);
        }
        return fields;
    }

    /** The result. */
    static Json.Fields of(AgentResult result, List<AgentEvent.Denied> denied) {
        Json.Fields fields =
                Json.object()
                        .put("type", "result")
                        .put("backend", result.backend())
                        .put("tier", result.tier().number())
                        .put("ending", result.ending().word())
                        .put("message", result.ending().message())
                        .putIfPresent("fix", result.ending().remedy())
                        .put("text", result.text())
                        .putIfPresent("conversation", result.conversation())
                        .putIfPresent("model", result.model())
                        .put("tokens", tokens(result.tokens()))
                        .put("durationMillis", result.duration().toMillis());
        result.exit().ifPresent(exit -> fields.put("exit", exit));
        result.session().ifPresent(session -> fields.put("session", session.value()));
        Json.Fields used = Json.object();
        result.usage().cpu().ifPresent(cpu -> used.put("cpuMillis", cpu.toMillis()));
        result.usage().peakMemory().ifPresent(bytes -> used.put("peakMemoryBytes", bytes));
        return fields.put("kept", result.kept())
                .put("usage", used)
                .put(
                        "changes",
                        new Json.Array(result.changes().stream().map(AgentJson::change).toList()))
                .put(
                        "denied",
                        new Json.Array(
                                denied.stream()
                                        .map(each -> (Json) denied(Json.object(), each))
                                        .toList()))
                .put("notices", Json.texts(result.notices()));
    }

    /** The result of a run that nobody waited for to its end: no answer, and changes unread. */
    static Json.Fields interrupted(String backend, Optional<String> session, boolean kept) {
        AgentEnding ending = new AgentEnding.Cancelled();
        return Json.object()
                .put("type", "result")
                .put("backend", backend)
                .put("ending", ending.word())
                .put("message", ending.message())
                .putIfPresent("session", session)
                .put("kept", kept);
    }

    private static Json change(ChangedFile file) {
        return Json.object()
                .put("repo", file.repo())
                .putName("path", file.path().bytes())
                .put("change", word(file.change()));
    }

    private static Json.Fields denied(Json.Fields fields, AgentEvent.Denied denied) {
        return fields.put("host", denied.host())
                .put("port", denied.port())
                .put("reason", denied.reason())
                .putIfPresent("fix", denied.remedy());
    }

    private static Json.Fields tokens(TokenUsage usage) {
        Json.Fields fields =
                Json.object()
                        .put("input", usage.input())
                        .put("cached", usage.cached())
                        .put("output", usage.output());
        usage.cost()
                .ifPresent(cost -> fields.put("costUsd", new Json.Literal(cost.toPlainString())));
        return fields;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
