package dev.carrel.core.agent;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.session.SessionRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an agent is to do. Where it runs is not part of it: that is the settings' to say.
 *
 * @param backend the name of an adapter
 * @param prompt what the user asks for
 * @param workspace what a new session is like; a plain process works in its first repository
 * @param session an existing session, by id, name or the beginning of an id
 * @param resume the conversation that goes on
 * @param model instead of the one of the settings
 * @param directory where it starts, as for a command of a session
 * @param egress hosts that it may reach besides those of the settings
 * @param limits instead of those of the settings, where they are set
 * @param retain instead of the settings'
 */
public record AgentRequest(
        String backend,
        String prompt,
        SessionRequest workspace,
        Optional<String> session,
        Optional<String> resume,
        Optional<String> model,
        Optional<String> directory,
        List<String> egress,
        ResourceLimits limits,
        Optional<Retain> retain) {

    public AgentRequest {
        egress = List.copyOf(egress);
        if (prompt.isBlank()) {
            throw new InvalidInputException(
                    "there is nothing to ask the agent",
                    "Example: carrel agent " + backend + " \"fix the failing test\"");
        }
    }

    /** Everything as the settings say, in a new session of this repository. */
    public static AgentRequest of(String backend, String prompt, Path repository) {
        return of(backend, prompt, SessionRequest.of(repository));
    }

    /** Everything as the settings say, in a new session. */
    public static AgentRequest of(String backend, String prompt, SessionRequest workspace) {
        return new AgentRequest(
                backend,
                prompt,
                workspace,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                ResourceLimits.NONE,
                Optional.empty());
    }

    /** The same in an existing session. */
    public AgentRequest in(String reference) {
        return new AgentRequest(
                backend,
                prompt,
                workspace,
                Optional.of(reference),
                resume,
                model,
                directory,
                egress,
                limits,
                retain);
    }

    /** The same as the next turn of a conversation. */
    public AgentRequest resuming(String conversation) {
        return new AgentRequest(
                backend,
                prompt,
                workspace,
                session,
                Optional.of(conversation),
                model,
                directory,
                egress,
                limits,
                retain);
    }

    /** The same with limits of its own; those that are empty stay as they are. */
    public AgentRequest within(ResourceLimits other) {
        return new AgentRequest(
                backend,
                prompt,
                workspace,
                session,
                resume,
                model,
                directory,
                egress,
                limits.overriddenBy(other),
                retain);
    }

    /** The same, where its session is kept or not by this rule. */
    public AgentRequest retaining(Retain rule) {
        return new AgentRequest(
                backend,
                prompt,
                workspace,
                session,
                resume,
                model,
                directory,
                egress,
                limits,
                Optional.of(rule));
    }
}
