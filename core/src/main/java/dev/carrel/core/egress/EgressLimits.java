package dev.carrel.core.egress;

import java.time.Duration;

/**
 * What one session may ask of its proxy. All bounds hold for each proxy alone, so that one session
 * cannot exhaust another's. The process as a whole has a {@link ConnectionShare} besides.
 *
 * @param connections how many at once, at most; further ones are closed unheard
 * @param headBytes the longest head of a request or an answer
 * @param headTime how long a request may take to be complete, or a tunnel to begin
 * @param keepAlive how long a connection may stay between two requests
 * @param dialTime how long resolving and connecting may take, each
 * @param idle how long a tunnel or a body may stand still
 */
public record EgressLimits(
        int connections,
        int headBytes,
        Duration headTime,
        Duration keepAlive,
        Duration dialTime,
        Duration idle) {

    /** What a session has where nothing else is said. */
    public static final EgressLimits DEFAULT =
            new EgressLimits(
                    1024,
                    64 * 1024,
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(15),
                    Duration.ofHours(1));

    public EgressLimits {
        if (connections < 1 || headBytes < 1024) {
            throw new IllegalArgumentException("limits that let nothing pass");
        }
    }
}
