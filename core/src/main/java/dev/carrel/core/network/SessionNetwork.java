package dev.carrel.core.network;

import dev.carrel.core.egress.EgressProxy;
import dev.carrel.core.egress.ProxySettings;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.Upstream;
import dev.carrel.core.runtime.Joined;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * What this process does for the network of one running session: it listens at the session's
 * loopback, for a proxy and for each port of the host that is reached. It ends with this process or
 * when it is closed; connections through it end then, and nothing else is reached. Safe for many
 * threads.
 */
public final class SessionNetwork implements AutoCloseable {

    /** The first port that is tried; every process that uses the session takes one. */
    private static final int FIRST_PORT = 3128;

    private static final int MOST_PORTS = 200;
    private static final long LOOK_MILLIS = 250;

    private final NetworkSettings settings;
    private final long pausePid;
    private final List<HostPort> hostPorts = new ArrayList<>();
    private Optional<Served> proxy = Optional.empty();
    private volatile boolean closed;

    /** A proxy, and where it is inside. */
    private record Served(EgressProxy proxy, int port) {}

    private SessionNetwork(NetworkSettings settings, Joined joined) {
        this.settings = settings;
        this.pausePid = joined.pausePid();
    }

    /**
     * Starts what the policy asks for, and returns when it can be used. Nothing is left if it
     * fails.
     *
     * @throws dev.carrel.core.failure.CarrelException if a part cannot be started
     */
    public static SessionNetwork start(NetworkSettings settings, Joined joined)
            throws InterruptedException {
        SessionNetwork network = new SessionNetwork(settings, joined);
        boolean done = false;
        try {
            if (!settings.rules().get().isEmpty()) {
                network.serve(joined);
            }
            for (int port : settings.policy().hostPorts()) {
                network.hostPorts.add(HostPort.open(settings, joined, port));
            }
            done = true;
            return network;
        } finally {
            if (!done) {
                network.close();
            }
        }
    }

    private void serve(Joined joined) throws InterruptedException {
        ProxySettings serving = proxySettings();
        for (int port = FIRST_PORT; proxy.isEmpty(); port++) {
            int at = port;
            proxy =
                    settings.listenInside(joined, port)
                            .map(server -> new Served(EgressProxy.start(server, serving), at));
            if (port - FIRST_PORT > MOST_PORTS) {
                throw new HostOperationException(
                        "no port of the session from "
                                + FIRST_PORT
                                + " to "
                                + port
                                + " is free for its proxy",
                        "Its programs listen at all of them; end some.");
            }
        }
        EgressProxy started = proxy.get().proxy();
        Thread.ofVirtual().name("egress-rules").start(() -> watchRules(started));
    }

    private ProxySettings proxySettings() {
        EgressPolicy policy = settings.policy();
        ProxySettings serving =
                ProxySettings.of(settings.rules(), settings.listener())
                        .withCommand(settings.command())
                        .withHosts(policy.hosts());
        Optional<Upstream> upstream = policy.upstream().map(this::upstream);
        return upstream.map(serving::withUpstream).orElse(serving);
    }

    private Upstream upstream(String named) {
        if (!named.equals(EgressPolicy.CALLERS_PROXY)) {
            return Upstream.parse(named);
        }
        return Stream.of("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY")
                .map(settings.caller()::get)
                .filter(value -> value != null && !value.isEmpty())
                .findFirst()
                .map(Upstream::parse)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "egress.upstream is 'environment', and neither HTTPS_PROXY nor"
                                        + " HTTP_PROXY is set",
                                "Set one of them, or name the proxy: egress.upstream:"
                                        + " http://proxy.example.org:3128"));
    }

    private void watchRules(EgressProxy serving) {
        Optional<EgressRules> last = readable();
        while (!closed) {
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            Optional<EgressRules> now = readable();
            if (!now.equals(last)) {
                last = now;
                serving.rulesChanged();
            }
        }
    }

    /** Empty where they cannot be read, which allows nothing. */
    private Optional<EgressRules> readable() {
        try {
            return Optional.of(settings.rules().get());
        } catch (CarrelException e) {
            return Optional.empty();
        }
    }

    /** Makes a port of the session's loopback one of the host's, until it is closed. */
    public PublishedPort publish(Joined joined, int port) throws InterruptedException {
        return Way.open(settings, joined, port);
    }

    /** A port of the session's loopback that is one of the host's. */
    @FunctionalInterface
    public interface PublishedPort extends AutoCloseable {
        /** Listens no more, and ends every connection to it. */
        @Override
        void close();
    }

    /** Where the proxy is inside; empty if there is none, since nothing is allowed. */
    public OptionalInt port() {
        return proxy.map(served -> OptionalInt.of(served.port())).orElse(OptionalInt.empty());
    }

    /** Whether it leads out of this very session, and all of it works. */
    public boolean serves(Joined joined) {
        return joined.pausePid() == pausePid
                && broken().isEmpty()
                && (proxy.isPresent() || settings.rules().get().isEmpty());
    }

    /** What of it has ended although nobody closed it, in words. */
    public Optional<String> broken() {
        if (proxy.isPresent()) {
            Served served = proxy.get();
            if (!served.proxy().isServing()) {
                return Optional.of("its proxy has stopped");
            }
            return served.proxy().failure().map(thrown -> "its proxy failed: " + thrown);
        }
        return Optional.empty();
    }

    /** Ends it, and every connection through it. */
    @Override
    public void close() {
        closed = true;
        try {
            proxy.ifPresent(served -> served.proxy().close());
        } finally {
            hostPorts.forEach(HostPort::close);
        }
    }
}
