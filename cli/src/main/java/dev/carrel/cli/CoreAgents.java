package dev.carrel.cli;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.agent.AgentRequest;
import dev.carrel.core.agent.AgentRun;
import dev.carrel.core.agent.AgentStatus;
import java.util.List;
import java.util.function.Consumer;

/** What the verbs ask of the agents of this machine. */
interface CoreAgents extends AutoCloseable {

    AgentRun start(AgentRequest request, Consumer<AgentEvent> events) throws InterruptedException;

    List<AgentStatus> list() throws InterruptedException;

    @Override
    void close();
}
