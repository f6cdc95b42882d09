package dev.carrel.core.adapter;

import dev.carrel.core.adapter.AgentEvent.Denied;
import dev.carrel.core.adapter.AgentEvent.FileChange;
import dev.carrel.core.adapter.AgentEvent.Notice;
import dev.carrel.core.adapter.AgentEvent.Started;
import dev.carrel.core.adapter.AgentEvent.Text;
import dev.carrel.core.adapter.AgentEvent.ToolCall;
import dev.carrel.core.adapter.AgentEvent.ToolResult;
import dev.carrel.core.adapter.AgentEvent.Trouble;
import dev.carrel.core.adapter.AgentEvent.Used;
import dev.carrel.core.store.JsonObject;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Events and reports as lines that a person can write down. */
final class Rendering {

    private static final int SHOWN = 100;

    private Rendering() {}

    static String of(AgentEvent event) {
        return switch (event) {
            case Started(String id, Optional<String> model) ->
                    "started: " + id + " " + model.orElse("-");
            case Text(String text, boolean piece) -> (piece ? "piece: " : "text: ") + shown(text);
            case ToolCall(String id, String tool, String input) ->
                    "call: " + id + " " + tool + " " + shown(input);
            case ToolResult(String id, String output, boolean failed) ->
                    "result: " + id + (failed ? " failed " : " ok ") + shown(output);
            case FileChange(String path, AgentEvent.Change change) ->
                    "file: " + change.name().toLowerCase(Locale.ROOT) + " " + path;
            case Used(TokenUsage usage) -> "used: " + of(usage);
            case Trouble(AgentFailure failure, boolean retrying) ->
                    (retrying ? "retrying: " : "trouble: ") + of(failure);
            case Denied _, Notice _ -> throw new AssertionError("an adapter says no such thing");
        };
    }

    static String of(AgentFailure failure) {
        return failure.kind() + " " + failure.message();
    }

    static List<String> of(AgentReport report) {
        return List.of(
                "",
                "failure: " + report.failure().map(Rendering::of).orElse("none"),
                "answer: " + shown(report.text()),
                "conversation: " + report.conversation().orElse("-"),
                "model: " + report.model().orElse("-"),
                "usage: " + of(report.usage()),
                "totals: " + of(report.totals()));
    }

    private static String of(TokenUsage usage) {
        return usage.input()
                + " ("
                + usage.cached()
                + ") "
                + usage.output()
                + usage.cost()
                        .map(cost -> " $" + cost.stripTrailingZeros().toPlainString())
                        .orElse("");
    }

    private static String shown(String text) {
        String line = text.replace("\n", "\\n");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "... " + text.length();
    }

    static TokenUsage usage(JsonObject json) {
        return new TokenUsage(
                json.integer("input"),
                json.integer("cached"),
                json.integer("output"),
                json.optString("cost").map(BigDecimal::new));
    }
}
