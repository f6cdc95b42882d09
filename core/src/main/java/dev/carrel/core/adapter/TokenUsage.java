package dev.carrel.core.adapter;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * What a service was asked to do.
 *
 * @param input tokens that were read, those of a cache included
 * @param cached how many of them came from a cache
 * @param output tokens that were written
 * @param cost in US dollars, where the agent tells
 */
public record TokenUsage(long input, long cached, long output, Optional<BigDecimal> cost) {

    /** Nothing. */
    public static final TokenUsage NONE = new TokenUsage(0, 0, 0, Optional.empty());

    /** Both together. */
    public TokenUsage plus(TokenUsage other) {
        Optional<BigDecimal> both =
                cost.isPresent() && other.cost.isPresent()
                        ? Optional.of(cost.get().add(other.cost.get()))
                        : cost.or(other::cost);
        return new TokenUsage(
                input + other.input, cached + other.cached, output + other.output, both);
    }

    /** What is left without the other, never less than nothing. */
    public TokenUsage minus(TokenUsage other) {
        return new TokenUsage(
                Math.max(0, input - other.input),
                Math.max(0, cached - other.cached),
                Math.max(0, output - other.output),
                cost.map(all ->
                        all.subtract(other.cost.orElse(BigDecimal.ZERO)).max(BigDecimal.ZERO)));
    }
}
