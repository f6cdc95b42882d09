package dev.carrel.core.session;

import dev.carrel.core.egress.EgressLog;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.host.Socat;
import dev.carrel.core.network.NetworkSettings;
import dev.carrel.core.network.SessionNetwork;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.runtime.Joined;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.store.SessionLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one command uses of its session's network. One thread enters and leaves. */
final class NetworkUse {

    private final HostTools tools;
    private final SessionLayout layout;
    private final SessionRecord record;
    private final CommandNetwork wanted;
    private final List<SessionNetwork.PublishedPort> published = new ArrayList<>();
    private Optional<Networks.Share> share = Optional.empty();

    /**
     * Of a command that has not started.
     *
     * @throws ConflictException if the session shares the host's network, where nothing can be
     *     allowed or published, or a rule of the session denies what is to be allowed
     */
    NetworkUse(HostTools tools, SessionLayout layout, SessionRecord record, CommandNetwork wanted) {
        this.tools = tools;
        this.layout = layout;
        this.record = record;
        this.wanted = wanted;
        if (record.policy().network() instanceof NetworkAccess.Host
                && !wanted.equals(CommandNetwork.AS_SESSION)) {
            throw new ConflictException(
                    "session "
                            + record.id()
                            + " shares the whole network of the host (sandbox.unshare_net: false):"
                            + " there is nothing to allow or to publish",
                    "Leave --allow and --publish out, or make a session without that setting.");
        }
        LiveRules live = rules(layout, record);
        live.requireNotDenied(wanted.allow());
        if (!isNothing(new FollowedRules(live, wanted.rules()))) {
            Socat.require();
        }
    }

    static LiveRules rules(SessionLayout layout, SessionRecord record) {
        return new LiveRules(
                record.policy().network().egress().rules(),
                layout.egressRules(),
                SessionFiles.runtime(layout).lock());
    }

    private boolean isNothing(FollowedRules rules) {
        return record.policy().network() instanceof NetworkAccess.Host
                || (wanted.publish().isEmpty()
                        && record.policy().network().egress().hostPorts().isEmpty()
                        && rules.get().isEmpty());
    }

    /**
     * Starts what the command needs, where it does not run yet.
     *
     * @return the variables by which programs find it
     */
    Map<String, String> enter(SessionRuntime runtime, Joined joined) throws InterruptedException {
        FollowedRules rules = new FollowedRules(rules(layout, record), wanted.rules());
        if (isNothing(rules)) {
            return Map.of();
        }
        SessionNetwork network = take(runtime, joined, rules);
        for (int port : wanted.publish()) {
            published.add(network.publish(joined, port));
        }
        return network.port().isPresent()
                ? NetworkVariables.of(network.port().getAsInt())
                : Map.of();
    }

    private SessionNetwork take(SessionRuntime runtime, Joined joined, FollowedRules rules)
            throws InterruptedException {
        EgressLog log = new EgressLog(layout.egressLog());
        Networks.Share taken =
                tools.networks()
                        .take(
                                record.id(),
                                wanted.rules(),
                                joined,
                                listener ->
                                        SessionNetwork.start(
                                                new NetworkSettings(
                                                        tools.runner(),
                                                        runtime,
                                                        SessionFiles.runtime(layout),
                                                        record.identity(),
                                                        record.policy().network().egress(),
                                                        rules,
                                                        event -> {
                                                            log.happened(event);
                                                            listener.happened(event);
                                                        },
                                                        this::command,
                                                        tools.settings().environment()),
                                                joined));
        share = Optional.of(taken);
        return taken.network();
    }

    /** The command that allows it. */
    private String command(EgressRule rule) {
        return "carrel egress " + record.id() + " allow " + rule;
    }

    /** What the command met, until now. */
    NetworkResult result() {
        return share.map(taken -> new NetworkResult(taken.denied(), taken.broken()))
                .orElse(NetworkResult.NOTHING);
    }

    /** Gives everything back. Does nothing the second time. */
    void leave() {
        try {
            published.forEach(SessionNetwork.PublishedPort::close);
        } finally {
            published.clear();
            Optional<Networks.Share> taken = share;
            share = Optional.empty();
            taken.ifPresent(Networks.Share::close);
        }
    }
}
