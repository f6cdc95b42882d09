package dev.carrel.cli;

import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionSummary;
import dev.carrel.core.session.SweepReport;
import java.util.List;

/** What the verbs ask of the library, so that tests can answer in its place. */
interface CoreSessions {

    CoreSession create(SessionRequest request) throws InterruptedException;

    CoreSession find(String reference) throws InterruptedException;

    List<SessionSummary> list() throws InterruptedException;

    /** All ids, also of sessions that cannot be read; cheap. */
    List<String> ids();

    /** Ends its commands and frees everything; answers its id. */
    String remove(String reference) throws InterruptedException;

    /** The same, refused while other commands run in it. */
    void removeIdle(String reference) throws InterruptedException;

    List<String> explain(SessionRequest request, CommandRequest command)
            throws InterruptedException;

    SweepReport sweep() throws InterruptedException;

    SweepReport previewSweep();

    /** The agents of this machine, with what the settings say of them. */
    CoreAgents agents(AgentSettings settings);

    /** Whether this process is the one to start a sweep. */
    boolean claimOverdueSweep();
}
