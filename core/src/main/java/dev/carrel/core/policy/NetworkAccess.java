package dev.carrel.core.policy;

/** What a sandboxed process may reach. */
public sealed interface NetworkAccess {

    /**
     * A network namespace of its own with nothing but loopback; commands of one session share it.
     */
    record None() implements NetworkAccess {}
}
