package dev.carrel.cli;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.session.SessionEgress;
import java.util.List;

/** What the verbs ask of one session's network. */
interface CoreEgress {

    boolean sharesHost();

    /** What the session was made with. */
    EgressPolicy own();

    /** The rules that were added since. */
    EgressRules added();

    /** Answers whether commands run that have no way out. */
    boolean allow(List<String> hosts) throws InterruptedException;

    void deny(List<String> hosts) throws InterruptedException;

    /** Without hosts all that were added go. */
    void reset(List<String> hosts) throws InterruptedException;

    List<EgressEvent> events();

    SessionEgress.Following follow();
}
