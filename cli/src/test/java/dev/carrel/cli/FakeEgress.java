package dev.carrel.cli;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.session.SessionEgress;
import java.util.ArrayList;
import java.util.List;

/** A network that remembers what it was asked. */
final class FakeEgress implements CoreEgress {

    final List<String> asked = new ArrayList<>();
    final List<EgressEvent> events = new ArrayList<>();
    EgressPolicy own = EgressPolicy.NONE;
    EgressRules added = EgressRules.NONE;
    boolean shared;
    boolean runningWithout;

    @Override
    public boolean sharesHost() {
        return shared;
    }

    @Override
    public EgressPolicy own() {
        return own;
    }

    @Override
    public EgressRules added() {
        return added;
    }

    @Override
    public boolean allow(List<String> hosts) {
        asked.add("allow " + hosts);
        added = EgressRules.parse(hosts, List.of());
        return runningWithout;
    }

    @Override
    public void deny(List<String> hosts) {
        asked.add("deny " + hosts);
    }

    @Override
    public void reset(List<String> hosts) {
        asked.add("reset " + hosts);
    }

    @Override
    public List<EgressEvent> events() {
        return events;
    }

    @Override
    public SessionEgress.Following follow() {
        List<EgressEvent> rest = new ArrayList<>(events);
        return () -> {
            List<EgressEvent> next = List.copyOf(rest);
            rest.clear();
            return next;
        };
    }
}
