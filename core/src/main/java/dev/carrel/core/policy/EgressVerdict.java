package dev.carrel.core.policy;

/** What the rules say of a host and a port. */
public sealed interface EgressVerdict {

    /** It may be reached, because of this rule. */
    record Allowed(EgressRule rule) implements EgressVerdict {}

    /** It may not. */
    record Denied(EgressDenial denial) implements EgressVerdict {}
}
