package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.adapter.AgentReport;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Ending;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a run ended. What Carrel and the kernel know comes first, then what the agent says.
 */
record Judgement(Task task, Workplace place) {

    private static final int NOT_FOUND = 127;

    AgentEnding of(@Nullable AgentEnding cause, CommandResult result, AgentReport report) {
        if (cause != null) {
            return cause;
        }
        return byCarrel(result.ending())
                .or(() -> missing(result, report))
                .or(() -> report.failure().map(this::of))
                .orElseGet(AgentEnding.Succeeded::new);
    }

    private Optional<AgentEnding> byCarrel(Ending ending) {
        return switch (ending) {
            case Ending.Exited _, Ending.Signalled _ -> Optional.empty();
            case Ending.Cancelled() -> Optional.of(new AgentEnding.Cancelled());
            case Ending.TimedOut(var limit) ->
                    Optional.of(new AgentEnding.TimedOut(limit, task.setting("timeout")));
            case Ending.OutOfMemory(long limit) ->
                    Optional.of(new AgentEnding.OutOfMemory(limit, task.setting("memory")));
            case Ending.TooManyProcesses(int limit) ->
                    Optional.of(
                            new AgentEnding.LimitReached(
                                    "it may have " + limit + " processes (limits.pids)"));
            case Ending.TooMuchOutput(long limit) ->
                    Optional.of(
                            new AgentEnding.LimitReached(
                                    "it may write " + limit + " bytes (limits.output)"));
            case Ending.DiskFull(long limit, _) ->
                    Optional.of(
                            new AgentEnding.LimitReached(
                                    "its session may use " + limit + " bytes (limits.disk)"));
            case Ending.Unwatched(String why) ->
                    Optional.of(
                            new AgentEnding.LimitReached(
                                    "what it uses could not be counted any more: " + why));
        };
    }

    private Optional<AgentEnding> missing(CommandResult result, AgentReport report) {
        boolean silent = report.text().isEmpty() && report.conversation().isEmpty();
        if (result.exit() != NOT_FOUND || !silent) {
            return Optional.empty();
        }
        return Optional.of(
                result.hint()
                        .map(hint ->
                                new AgentEnding.ProgramMissing(
                                        "the session does not show " + task.program().executable(),
                                        hint))
                        .orElseGet(() -> incomplete(report)));
    }

    /** It is there, but something that it needs is not: an interpreter, for example. */
    private AgentEnding.ProgramMissing incomplete(AgentReport report) {
        return new AgentEnding.ProgramMissing(
                task.program().executable()
                        + " did not work"
                        + report.failure().map(failure -> ": " + failure.message()).orElse(""),
                place.tier() == Tier.SANDBOX
                        ? "If a session does not show what it needs, such as its interpreter:"
                                + " sandbox.extra_read_only, in a new one."
                        : "Install it: " + task.adapter().installation());
    }

    /** The agent's own failure, with what the user can do about it. */
    AgentEnding of(AgentFailure failure) {
        return switch (failure.kind()) {
            case AUTHENTICATION ->
                    new AgentEnding.Unauthenticated(
                            "the service refused the key: " + failure.message(), keyRemedy(task));
            case RATE_LIMIT -> new AgentEnding.RateLimited(failure.message());
            case AGENT, TURN_LIMIT, UNKNOWN_CONVERSATION -> new AgentEnding.Failed(failure);
        };
    }

    private static String keyRemedy(Task task) {
        return task.credentials().variables().isEmpty()
                ? "Set " + String.join(" or ", task.adapter().service(task.model()).keyVariables())
                : "The key came from " + task.credentials().source() + "; give it a valid one.";
    }

    /** Whether it makes sense to resume the conversation. */
    static boolean canGoOn(AgentEnding ending) {
        return switch (ending) {
            case AgentEnding.Unauthenticated _, AgentEnding.ProgramMissing _ -> false;
            case AgentEnding.Failed(AgentFailure failure) ->
                    failure.kind() != AgentFailure.Kind.UNKNOWN_CONVERSATION;
            case AgentEnding.Succeeded _,
                    AgentEnding.RateLimited _,
                    AgentEnding.HostNotAllowed _,
                    AgentEnding.TimedOut _,
                    AgentEnding.OutOfMemory _,
                    AgentEnding.LimitReached _,
                    AgentEnding.Cancelled _ ->
                    true;
        };
    }
}
