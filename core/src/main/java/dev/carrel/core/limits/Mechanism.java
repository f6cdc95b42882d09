package dev.carrel.core.limits;

import dev.carrel.core.policy.ResourceLimits;

/** One way to hold limits. */
interface Mechanism {

    /** How people call it. */
    String name();

    /**
     * Makes what holds the limits of one command, and reads it back.
     *
     * @param session names the session's group
     * @param total of all commands of the session together
     * @param limits of this command
     * @throws Refused if it cannot; nothing is left behind
     */
    Enforcement enforce(String session, ResourceLimits total, ResourceLimits limits)
            throws Refused, InterruptedException;

    /** Removes what dead processes of Carrel have left. */
    void sweep();
}
