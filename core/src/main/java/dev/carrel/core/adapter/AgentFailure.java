package dev.carrel.core.adapter;

/**
 * Why an agent did not do its work, as far as its own output tells.
 *
 * @param message in the agent's words, shortened; never a key
 */
public record AgentFailure(Kind kind, String message) {

    /** What kind of failure it is. */
    public enum Kind {
        /** Anything else. */
        AGENT,
        /** The key is missing, refused or expired. */
        AUTHENTICATION,
        /** The service wants fewer requests, or the account has no more. */
        RATE_LIMIT,
        /** It used all the turns that it may. */
        TURN_LIMIT,
        /** There is no conversation of this id. */
        UNKNOWN_CONVERSATION
    }
}
