package dev.carrel.core.adapter;

import dev.carrel.core.adapter.AgentEvent.Started;
import dev.carrel.core.adapter.AgentEvent.Text;
import dev.carrel.core.adapter.AgentEvent.Used;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lines of JSON of which a description says where things stand. */
final class JsonLinesOutput implements EventParser {

    private final Description.Output.JsonLines mapping;
    private final TokenUsage before;
    private final Findings found = new Findings();
    private TokenUsage usage = TokenUsage.NONE;

    JsonLinesOutput(
            Description.Output.JsonLines mapping,
            Optional<String> conversation,
            TokenUsage before) {
        this.mapping = mapping;
        this.before = before;
        conversation.ifPresent(found::conversation);
    }

    @Override
    public List<AgentEvent> line(String line) {
        Loose event = Loose.line(line);
        if (event.value().isEmpty()) {
            return List.of();
        }
        List<AgentEvent> events = new ArrayList<>();
        text(mapping.conversation(), event).ifPresent(id -> events.addAll(started(id)));
        text(mapping.text(), event)
                .ifPresent(text -> {
                    found.answer(text);
                    events.add(new Text(found.answer(), false));
                });
        events.addAll(used(event));
        if (mapping.success().in(event).plain().equals(Optional.of(mapping.successValue()))) {
            found.succeeded();
        }
        text(mapping.error(), event)
                .ifPresent(message -> events.add(found.failed(Causes.of(message))));
        return events;
    }

    private static Optional<String> text(Optional<Pointer> pointer, Loose event) {
        return pointer.flatMap(at -> at.in(event).someText());
    }

    private List<AgentEvent> started(String id) {
        if (found.conversation().equals(Optional.of(id))) {
            return List.of();
        }
        found.conversation(id);
        return List.of(new Started(id, Optional.empty()));
    }

    private List<AgentEvent> used(Loose event) {
        long input = count(mapping.inputTokens(), event);
        long output = count(mapping.outputTokens(), event);
        if (input == 0 && output == 0) {
            return List.of();
        }
        usage = new TokenUsage(input, 0, output, Optional.empty());
        return List.of(new Used(usage));
    }

    private static long count(Optional<Pointer> pointer, Loose event) {
        return pointer.map(at -> at.in(event).count()).orElse(0L);
    }

    @Override
    public Optional<AgentFailure> givenUp() {
        return found.givenUp();
    }

    @Override
    public AgentReport finish(int exit, String error) {
        return found.report(
                exit, Findings.lastWords(exit, error), error, usage, before.plus(usage));
    }
}
