package dev.carrel.core.session;

import dev.carrel.core.egress.EgressListener;
import dev.carrel.core.policy.EgressEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a session's network denied lately, each host and port once; the first so many. Safe for many
 * threads.
 */
final class Denials implements EgressListener {

    private static final int MOST = 50;

    private final Map<String, EgressEvent.Denied> denied = new LinkedHashMap<>();

    @Override
    public synchronized void happened(EgressEvent event) {
        if (event instanceof EgressEvent.Denied denial && denied.size() < MOST) {
            denied.putIfAbsent(denial.host() + ":" + denial.port(), denial);
        }
    }

    synchronized List<EgressEvent.Denied> all() {
        return new ArrayList<>(denied.values());
    }
}
