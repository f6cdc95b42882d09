package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.adapter.AgentReport;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Takes keys out of what a parser made of an agent's output, and ids that cannot be any. To look at
 * the output alone is not enough: it may write a key in escapes, or in pieces.
 *
 * @param clean takes keys out of a text
 */
record Redaction(UnaryOperator<String> clean) {

    /** It is written to a file, shown for a shell, and handed to a command line. */
    private static final Pattern CONVERSATION = Pattern.compile("[A-Za-z0-9][\\w.:+-]{0,199}");

    /** The event, if there is something of it to tell. */
    Optional<AgentEvent> of(AgentEvent event) {
        return switch (event) {
            case AgentEvent.Started(String id, var model) ->
                    Optional.of(id)
                            .map(clean)
                            .filter(Redaction::isConversation)
                            .map(clear -> new AgentEvent.Started(clear, model.map(clean)));
            case AgentEvent.Text(String text, boolean piece) ->
                    Optional.of(new AgentEvent.Text(clean.apply(text), piece));
            case AgentEvent.ToolCall(String id, String tool, String input) ->
                    Optional.of(
                            new AgentEvent.ToolCall(
                                    clean.apply(id), clean.apply(tool), clean.apply(input)));
            case AgentEvent.ToolResult(String id, String output, boolean failed) ->
                    Optional.of(
                            new AgentEvent.ToolResult(
                                    clean.apply(id), clean.apply(output), failed));
            case AgentEvent.FileChange(String path, var change) ->
                    Optional.of(new AgentEvent.FileChange(clean.apply(path), change));
            case AgentEvent.Trouble(var failure, boolean retrying) ->
                    Optional.of(new AgentEvent.Trouble(of(failure), retrying));
            case AgentEvent.Denied(String host, int port, String reason, var remedy) ->
                    Optional.of(
                            new AgentEvent.Denied(
                                    clean.apply(host),
                                    port,
                                    clean.apply(reason),
                                    remedy.map(clean)));
            case AgentEvent.Notice(String text) ->
                    Optional.of(new AgentEvent.Notice(clean.apply(text)));
            case AgentEvent.Used used -> Optional.of(used);
        };
    }

    AgentFailure of(AgentFailure failure) {
        return new AgentFailure(failure.kind(), clean.apply(failure.message()));
    }

    AgentReport of(AgentReport report) {
        return new AgentReport(
                report.failure().map(this::of),
                clean.apply(report.text()),
                report.conversation().map(clean).filter(Redaction::isConversation),
                report.model().map(clean),
                report.usage(),
                report.totals());
    }

    private static boolean isConversation(String id) {
        return CONVERSATION.matcher(id).matches();
    }
}
