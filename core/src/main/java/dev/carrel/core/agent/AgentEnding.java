package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.policy.Quantity;
import java.time.Duration;
import java.util.Optional;

/**
 * How the run of an agent ended. Success rests on what the agent says and on a clean exit; what it
 * really changed is another question, see {@link AgentResult#changes}.
 */
public sealed interface AgentEnding {

    /** It says that it did its work, and nothing speaks against it. */
    record Succeeded() implements AgentEnding {}

    /**
     * It failed.
     *
     * @param failure what it says of it
     */
    record Failed(AgentFailure failure) implements AgentEnding {}

    /** The key is missing or was refused. */
    record Unauthenticated(String message, String cure) implements AgentEnding {}

    /** Its service wants fewer requests, or the account has no more. */
    record RateLimited(String message) implements AgentEnding {}

    /**
     * A host that it needs may not be reached; it was ended.
     *
     * @param setting what would allow it
     */
    record HostNotAllowed(String host, int port, String setting) implements AgentEnding {}

    /** Its time was over. */
    record TimedOut(Duration limit, String setting) implements AgentEnding {}

    /**
     * It was ended for its memory, or failed after something of it was.
     *
     * @param limit in bytes
     */
    record OutOfMemory(long limit, String setting) implements AgentEnding {}

    /** Another limit ended it. */
    record LimitReached(String limit) implements AgentEnding {}

    /** {@link AgentRun#cancel} ended it. */
    record Cancelled() implements AgentEnding {}

    /** There is no such program where it was to run. */
    record ProgramMissing(String message, String cure) implements AgentEnding {}

    /** Whether it did its work. */
    default boolean succeeded() {
        return this instanceof Succeeded;
    }

    /** A word for programs: {@code rate-limit}. */
    default String word() {
        return switch (this) {
            case Succeeded() -> "success";
            case Failed(AgentFailure failure) ->
                    failure.kind() == AgentFailure.Kind.TURN_LIMIT ? "turn-limit" : "agent-error";
            case Unauthenticated _ -> "authentication";
            case RateLimited _ -> "rate-limit";
            case HostNotAllowed _ -> "host-not-allowed";
            case TimedOut _ -> "timed-out";
            case OutOfMemory _ -> "out-of-memory";
            case LimitReached _ -> "limit";
            case Cancelled() -> "cancelled";
            case ProgramMissing _ -> "program-missing";
        };
    }

    /** What happened, for people. */
    default String message() {
        return switch (this) {
            case Succeeded() -> "done";
            case Failed(AgentFailure failure) -> "the agent failed: " + failure.message();
            case Unauthenticated(String message, _) -> message;
            case RateLimited(String message) ->
                    "the service refuses more requests for now: " + message;
            case HostNotAllowed(String host, int port, _) ->
                    "the agent needs " + host + ":" + port + ", which it may not reach";
            case TimedOut(Duration limit, _) ->
                    "the agent was ended after " + shown(limit) + ", which is all it had";
            case OutOfMemory(long limit, _) ->
                    "the agent used more memory than " + Quantity.written(limit);
            case LimitReached(String limit) -> "the agent was ended: " + limit;
            case Cancelled() -> "the agent was ended before it was done";
            case ProgramMissing(String message, _) -> message;
        };
    }

    /** What the user can do about it. */
    default Optional<String> remedy() {
        return switch (this) {
            case Succeeded(), Cancelled(), LimitReached _ -> Optional.empty();
            case Failed(AgentFailure failure) -> remedy(failure);
            case Unauthenticated(_, String cure) -> Optional.of(cure);
            case RateLimited _ ->
                    Optional.of(
                            "Wait, or look at the account's limits, then resume the conversation.");
            case HostNotAllowed(_, _, String setting) -> Optional.of(setting);
            case TimedOut(_, String setting) -> Optional.of("Give it more: " + setting);
            case OutOfMemory(_, String setting) -> Optional.of("Give it more: " + setting);
            case ProgramMissing(_, String cure) -> Optional.of(cure);
        };
    }

    private static Optional<String> remedy(AgentFailure failure) {
        return switch (failure.kind()) {
            case TURN_LIMIT ->
                    Optional.of("Resume the conversation, or raise max_turns of the backend.");
            case UNKNOWN_CONVERSATION ->
                    Optional.of("Begin a new one, or name the session that has it: --session ID");
            case AGENT, AUTHENTICATION, RATE_LIMIT -> Optional.empty();
        };
    }

    private static String shown(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
