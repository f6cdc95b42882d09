package dev.carrel.core.agent;

import dev.carrel.core.adapter.TokenUsage;
import dev.carrel.core.store.JsonLines;
import dev.carrel.core.store.JsonObject;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The conversations that were held in one HOME, one line of a file for each turn.
 *
 * @param file beside that HOME, where no agent can write
 */
record Conversations(Path file) {

    /**
     * A conversation after a turn.
     *
     * @param totals what it has used since its beginning
     */
    record Turn(String backend, String conversation, TokenUsage totals, Instant when) {}

    void add(Turn turn) {
        JsonObject.Builder line =
                JsonObject.builder()
                        .put("backend", turn.backend())
                        .put("conversation", turn.conversation())
                        .put("time", turn.when().toString())
                        .put("input", turn.totals().input())
                        .put("cached", turn.totals().cached())
                        .put("output", turn.totals().output());
        turn.totals().cost().ifPresent(cost -> line.put("cost", cost.toPlainString()));
        JsonLines.append(file, line.build());
    }

    /** All turns, oldest first. */
    List<Turn> turns() {
        if (!Files.exists(file)) {
            return List.of();
        }
        List<Turn> turns = new ArrayList<>();
        for (JsonObject line : JsonLines.read(file)) {
            turns.add(
                    new Turn(
                            line.string("backend"),
                            line.string("conversation"),
                            new TokenUsage(
                                    line.integer("input"),
                                    line.integer("cached"),
                                    line.integer("output"),
                                    line.optString("cost").map(BigDecimal::new)),
                            Instant.parse(line.string("time"))));
        }
        return turns;
    }

    /** The last turn of a conversation. */
    Optional<Turn> last(String backend, String conversation) {
        return turns().stream()
                .filter(turn ->
                        turn.backend().equals(backend) && turn.conversation().equals(conversation))
                .reduce((_, later) -> later);
    }
}
