package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressEvent;

/**
 * Gets every event of a proxy, on the thread of the connection that it is about: from several
 * threads at once, and the connection waits for it. What it throws ends that connection.
 */
@FunctionalInterface
public interface EgressListener {

    void happened(EgressEvent event);
}
