package dev.carrel.core.agent;

import dev.carrel.core.adapter.TokenUsage;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.session.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What came of the run of an agent.
 *
 * @param tier where it ran
 * @param text its last answer; may be empty
 * @param conversation by which it can be resumed
 * @param tokens what its service was asked to do
 * @param usage what it used of the machine
 * @param exit its exit status; empty where it was not started
 * @param session the session in which it ran
 * @param kept whether that session, or the HOME of a plain process, is still there
 * @param changes what differs from the base of the session; for a plain process, from what was
 *     there before. Never what the agent says of it
 * @param notices what the user should know besides
 */
public record AgentResult(
        String backend,
        Tier tier,
        AgentEnding ending,
        String text,
        Optional<String> conversation,
        Optional<String> model,
        TokenUsage tokens,
        Usage usage,
        Duration duration,
        OptionalInt exit,
        Optional<SessionId> session,
        boolean kept,
        List<ChangedFile> changes,
        List<String> notices) {

    public AgentResult {
        changes = List.copyOf(changes);
        notices = List.copyOf(notices);
    }

    /** Of a run that did not begin. */
    static AgentResult notStarted(String backend, Tier tier, AgentEnding why) {
        return new AgentResult(
                backend,
                tier,
                why,
                "",
                Optional.empty(),
                Optional.empty(),
                TokenUsage.NONE,
                Usage.UNKNOWN,
                Duration.ZERO,
                OptionalInt.empty(),
                Optional.empty(),
                false,
                List.of(),
                List.of());
    }
}
