package dev.carrel.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.adapter.AgentReport;
import dev.carrel.core.adapter.TokenUsage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    private static final String KEY = "key-0123456789";

    private final Redaction redaction =
            new Redaction(
                    new Credentials(Map.of("A", KEY, "B", KEY + "-and-more"), "test")::removedFrom);

    @Test
    void noEventHasAKey() {
        AgentFailure failure = new AgentFailure(AgentFailure.Kind.AGENT, KEY);
        List<AgentEvent> events =
                List.of(
                        new AgentEvent.Started("c", Optional.of(KEY)),
                        new AgentEvent.Text(KEY, true),
                        new AgentEvent.ToolCall(KEY, KEY, KEY),
                        new AgentEvent.ToolResult(KEY, KEY, false),
                        new AgentEvent.FileChange(KEY, AgentEvent.Change.ADDED),
                        new AgentEvent.Trouble(failure, false),
                        new AgentEvent.Denied(KEY, 443, KEY, Optional.of(KEY)),
                        new AgentEvent.Notice(KEY),
                        new AgentEvent.Used(TokenUsage.NONE));

        List<AgentEvent> told =
                events.stream().flatMap(event -> redaction.of(event).stream()).toList();

        assertThat(told).hasSameSizeAs(events);
        assertThat(told.toString()).contains("***").doesNotContain(KEY);
        AgentReport report =
                redaction.of(
                        new AgentReport(
                                Optional.of(failure),
                                KEY,
                                Optional.of("c"),
                                Optional.of(KEY),
                                TokenUsage.NONE,
                                TokenUsage.NONE));
        assertThat(report.toString()).contains("***").doesNotContain(KEY);
    }

    @Test
    void ofAKeyThatBeginsWithAnotherNothingIsLeft() {
        assertThat(redaction.of(new AgentEvent.Notice(KEY + "-and-more")))
                .contains(new AgentEvent.Notice("***"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "36a786c1-9018-4294-89e1-8e034443fb87",
                "ses_0a1B2c",
                "project:1.2+x",
            })
    void idsOfConversationsStay(String id) {
        assertThat(redaction.of(new AgentEvent.Started(id, Optional.empty()))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-x", "a b", "a;b", "$(x)", "../x", "a\nb", "\u001b[2J", KEY})
    void whatCannotBeAnIdIsNone(String id) {
        assertThat(redaction.of(new AgentEvent.Started(id, Optional.empty()))).isEmpty();
        assertThat(redaction.of(new AgentEvent.Started("a".repeat(201), Optional.empty())))
                .isEmpty();
    }
}
