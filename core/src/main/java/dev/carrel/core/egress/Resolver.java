package dev.carrel.core.egress;

import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import java.util.List;

/** Turns a name into addresses. The proxy asks once for each connection and dials what it got. */
@FunctionalInterface
public interface Resolver {

    /**
     * All addresses of a name, in the order in which they should be tried; empty where there is no
     * such name, or no answer. May block; is called from several threads.
     */
    List<IpAddress> resolve(Host.Name name) throws InterruptedException;
}
