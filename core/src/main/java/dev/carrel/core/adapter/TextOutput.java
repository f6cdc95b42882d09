package dev.carrel.core.adapter;

import dev.carrel.core.adapter.AgentEvent.Text;
import java.util.List;
import java.util.Optional;

/** Standard output as the answer, and exit 0 as the only sign of success there is. */
final class TextOutput implements EventParser {

    private final Findings found = new Findings();

    TextOutput(Optional<String> conversation) {
        conversation.ifPresent(found::conversation);
    }

    @Override
    public List<AgentEvent> line(String line) {
        String piece = line + "\n";
        found.more(piece);
        return List.of(new Text(Excerpt.first(piece, Excerpt.ANSWER), true));
    }

    @Override
    public Optional<AgentFailure> givenUp() {
        return Optional.empty();
    }

    @Override
    public AgentReport finish(int exit, String error) {
        found.answer(found.answer().strip());
        if (exit == 0) {
            found.succeeded();
        }
        return found.report(
                exit, Findings.lastWords(exit, error), error, TokenUsage.NONE, TokenUsage.NONE);
    }
}
