package dev.carrel.core.adapter;

import java.util.List;
import java.util.Optional;

/** Reads the output of one run of an agent. For one thread. */
public interface EventParser {

    /**
     * What one line of standard output says. A line that is not understood says nothing: what
     * agents print changes from version to version.
     *
     * @param line without its end; may be anything, the agent's tools control parts of it
     */
    List<AgentEvent> line(String line);

    /**
     * Whether it makes no sense to let the agent go on, such as with a key that was refused. Asked
     * after each line; whoever asks ends the agent then.
     */
    Optional<AgentFailure> givenUp();

    /**
     * What is to be said of the whole run. Success is only what has a clean exit, the agent's own
     * sign of success, and no contradiction.
     *
     * @param exit its exit status
     * @param error the end of what it wrote to standard error
     */
    AgentReport finish(int exit, String error);
}
