package dev.carrel.core.session;

import dev.carrel.core.egress.EgressListener;
import dev.carrel.core.network.SessionNetwork;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.runtime.Joined;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The networks that this process serves, one for each session in use and each set of further rules.
 * One that broke is replaced when the next command starts. Safe for many threads.
 */
final class Networks {

    private final Map<Key, Served> all = new HashMap<>();
    private final Predicate<SessionId> kept;

    /**
     * None yet.
     *
     * @param kept whether a session is kept running, so that its network stays between commands
     */
    Networks(Predicate<SessionId> kept) {
        this.kept = kept;
    }

    private record Key(SessionId session, EgressRules more) {}

    /** How a network is started; every event goes to {@code listener}. */
    interface Start {
        SessionNetwork start(EgressListener listener) throws InterruptedException;
    }

    /** One network and who uses it. */
    private static final class Served {
        private final Set<Denials> listeners = new CopyOnWriteArraySet<>();
        private @Nullable SessionNetwork network;
        private int users;

        synchronized SessionNetwork take(Joined joined, Start start, Denials listener)
                throws InterruptedException {
            SessionNetwork running = network;
            if (running == null || !running.serves(joined)) {
                end();
                running = start.start(this::tell);
                network = running;
            }
            listeners.add(listener);
            return running;
        }

        private void tell(EgressEvent event) {
            listeners.forEach(listener -> listener.happened(event));
        }

        synchronized void end() {
            SessionNetwork running = network;
            network = null;
            if (running != null) {
                running.close();
            }
        }
    }

    /** A command's part in a network. */
    final class Share implements AutoCloseable {
        private final Key key;
        private final Served served;
        private final SessionNetwork network;
        private final Denials denials;

        private Share(Key key, Served served, SessionNetwork network, Denials denials) {
            this.key = key;
            this.served = served;
            this.network = network;
            this.denials = denials;
        }

        SessionNetwork network() {
            return network;
        }

        /** What was denied since this share was taken. */
        List<EgressEvent.Denied> denied() {
            return denials.all();
        }

        /** Why it does not work any more; empty while it does. */
        Optional<String> broken() {
            return network.broken();
        }

        /** Gives it back; the last one's end ends the network, unless the session is kept. */
        @Override
        public void close() {
            served.listeners.remove(denials);
            leave(key, served);
        }
    }

    /** Takes part in the network of a session, starting it where it does not run. */
    Share take(SessionId session, EgressRules more, Joined joined, Start start)
            throws InterruptedException {
        Key key = new Key(session, more);
        Served served = enter(key);
        Denials denials = new Denials();
        boolean taken = false;
        try {
            SessionNetwork network = served.take(joined, start, denials);
            taken = true;
            return new Share(key, served, network, denials);
        } finally {
            if (!taken) {
                leave(key, served);
            }
        }
    }

    private synchronized Served enter(Key key) {
        Served served = all.computeIfAbsent(key, _ -> new Served());
        served.users++;
        return served;
    }

    private void leave(Key key, Served served) {
        synchronized (this) {
            served.users--;
            if (served.users > 0 || kept.test(key.session())) {
                return;
            }
            all.remove(key);
        }
        served.end();
    }

    /** Ends what nobody uses of a session that is not kept any more. */
    void endIdle(SessionId session) {
        List<Map.Entry<Key, Served>> idle;
        synchronized (this) {
            idle =
                    all.entrySet().stream()
                            .filter(entry ->
                                    entry.getKey().session().equals(session)
                                            && entry.getValue().users == 0)
                            .toList();
            idle.forEach(entry -> all.remove(entry.getKey()));
        }
        idle.forEach(entry -> entry.getValue().end());
    }
}
