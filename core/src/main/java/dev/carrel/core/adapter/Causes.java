package dev.carrel.core.adapter;

import dev.carrel.core.adapter.AgentFailure.Kind;
import java.util.List;
import java.util.Locale;

/** Tells kinds of failures apart by what services and agents say of them. */
final class Causes {

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;

    private static final List<String> NO_MORE =
            List.of(
                    "rate limit",
                    "rate_limit",
                    "ratelimit",
                    "too many requests",
                    "usage limit",
                    "usage_limit",
                    "resource_exhausted",
                    "quota",
                    "credit balance",
                    "out of credits",
                    "billing");

    private static final List<String> NO_ENTRY =
            List.of(
                    "api key",
                    "api_key",
                    "api-key",
                    "apikey",
                    "unauthorized",
                    "unauthenticated",
                    "authentication",
                    "not logged in",
                    "failed to authenticate",
                    "missing credential",
                    "auth method");

    private Causes() {}

    /**
     * A failure of a service.
     *
     * @param status of its HTTP answer; 0: there is none
     * @param message what the agent says of it, never what a tool said
     */
    static AgentFailure of(long status, String message) {
        return new AgentFailure(kind(status, message), Excerpt.message(message));
    }

    /** The same without a status. */
    static AgentFailure of(String message) {
        return of(0, message);
    }

    private static Kind kind(long status, String message) {
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            return Kind.AUTHENTICATION;
        }
        if (status == TOO_MANY_REQUESTS) {
            return Kind.RATE_LIMIT;
        }
        String words = message.toLowerCase(Locale.ROOT);
        if (NO_MORE.stream().anyMatch(words::contains)) {
            return Kind.RATE_LIMIT;
        }
        return NO_ENTRY.stream().anyMatch(words::contains) ? Kind.AUTHENTICATION : Kind.AGENT;
    }
}
