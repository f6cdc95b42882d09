package dev.carrel.cli;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.adapter.TokenUsage;
import dev.carrel.core.agent.AgentEnding;
import dev.carrel.core.agent.AgentRequest;
import dev.carrel.core.agent.AgentResult;
import dev.carrel.core.agent.AgentRun;
import dev.carrel.core.agent.AgentStatus;
import dev.carrel.core.agent.ChangedFile;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.session.SessionId;
import dev.carrel.core.tree.TreePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Agents that remember what they were asked, and end as a test wants. */
final class FakeAgents implements CoreAgents {

    final List<AgentRequest> asked = new ArrayList<>();
    final List<AgentEvent> events = new ArrayList<>();
    final List<AgentStatus> all = new ArrayList<>();
    AgentEnding ending = new AgentEnding.Succeeded();
    String text = "Created foo.txt.";
    boolean kept = true;
    Optional<SessionId> interruptedIn = Optional.empty();
    boolean closed;

    @Override
    public AgentRun start(AgentRequest request, Consumer<AgentEvent> listener) {
        asked.add(request);
        events.forEach(listener);
        if (interruptedIn.isPresent()) {
            return new Interrupted(interruptedIn);
        }
        return new AgentRun.Ended(
                new AgentResult(
                        request.backend(),
                        Tier.SANDBOX,
                        ending,
                        text,
                        Optional.of("c-1"),
                        Optional.of("model-1"),
                        new TokenUsage(10, 4, 2, Optional.empty()),
                        Usage.UNKNOWN,
                        Duration.ofMillis(1500),
                        OptionalInt.of(ending.succeeded() ? 0 : 1),
                        Optional.of(new SessionId("calm-otter")),
                        kept,
                        List.of(
                                new ChangedFile(
                                        "app", TreePath.of("foo.txt"), AgentEvent.Change.ADDED)),
                        List.of()));
    }

    /** One whose caller gets a signal while it waits. */
    private record Interrupted(Optional<SessionId> session) implements AgentRun {

        @Override
        public void cancel() {}

        @Override
        public AgentResult await() throws InterruptedException {
            throw new InterruptedException("a signal");
        }
    }

    @Override
    public List<AgentStatus> list() {
        return all;
    }

    @Override
    public void close() {
        closed = true;
    }
}
