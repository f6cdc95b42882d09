package dev.carrel.core.agent;

import dev.carrel.core.session.SessionId;
import java.util.Optional;

/**
 * An agent at work. One thread must {@link #await} it, which also frees what it holds; any thread
 * may cancel it. Its events come on threads of its own, one at a time.
 */
public interface AgentRun {

    /** The session in which it works; empty for a plain process. */
    Optional<SessionId> session();

    /**
     * Ends the agent and everything it started, and returns when it is gone. Does nothing once it
     * has ended.
     */
    void cancel();

    /**
     * Waits for the end. An interrupt cancels the agent first; its session is kept or removed as
     * for any other end before the exception arrives.
     */
    AgentResult await() throws InterruptedException;

    /** One that did not begin. */
    record Ended(AgentResult result) implements AgentRun {

        @Override
        public Optional<SessionId> session() {
            return result.session();
        }

        @Override
        public void cancel() {}

        @Override
        public AgentResult await() {
            return result;
        }
    }
}
