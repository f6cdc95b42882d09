package dev.carrel.core.agent;

import dev.carrel.core.adapter.Invocation;
import dev.carrel.core.adapter.Launch;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.session.SessionId;
import java.util.List;
import java.util.Optional;

/** Where one agent works: a session, or the host's checkout. Used by the run it was made for. */
interface Workplace {

    Tier tier();

    /** The session, where it is one. */
    Optional<SessionId> session();

    /** The call of the agent, which goes on with what is known of its conversation. */
    Invocation invocation();

    /** What the user has to know of this place before the agent starts. */
    List<String> warnings();

    /**
     * Starts the agent.
     *
     * @throws dev.carrel.core.failure.CarrelException if it could not be; nothing of it runs then
     */
    AgentProcess start(Launch launch) throws InterruptedException;

    /** What was denied at the border since the last call. */
    List<EgressEvent.Denied> denied();

    /** What differs now. */
    List<ChangedFile> changes() throws InterruptedException;

    /**
     * Blots keys out of what the agent wrote.
     *
     * @return sentences about what was found
     */
    List<String> blotOut(Leaks leaks, List<ChangedFile> changes) throws InterruptedException;

    /** Remembers a conversation. */
    void remember(Conversations.Turn turn);

    /**
     * Removes the place, or not.
     *
     * @param worthKeeping whether something changed, or the conversation can go on
     * @return whether it is still there
     */
    boolean settle(Retain retain, boolean worthKeeping) throws InterruptedException;
}
