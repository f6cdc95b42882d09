package dev.carrel.core.session;

import dev.carrel.core.egress.EgressLog;
import dev.carrel.core.egress.EgressTail;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.HostCount;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.store.SessionLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What one session may reach in the network and what it did reach. Changes hold at once, for the
 * next connection of whatever command; a tunnel to a host that may not be reached any more is
 * closed within a second. Safe for many threads and processes.
 */
public final class SessionEgress {

    private final SessionLayout layout;
    private final SessionRecord record;
    private final LiveRules live;

    SessionEgress(SessionLayout layout, SessionRecord record) {
        this.layout = layout;
        this.record = record;
        this.live = NetworkUse.rules(layout, record);
    }

    /** Whether it has the host's network, whole, where there are no rules. */
    public boolean sharesHost() {
        return record.policy().network() instanceof NetworkAccess.Host;
    }

    /** What it was made with; nothing where it shares the host's network. */
    public EgressPolicy own() {
        return record.policy().network().egress();
    }

    /** The rules that were added since. */
    public EgressRules added() {
        return live.added();
    }

    /**
     * Allows hosts.
     *
     * @param hosts rules as {@link EgressRule#allow} reads them
     * @return whether commands run now that have no way out, since nothing was allowed before: only
     *     those that start from now on have it
     * @throws InvalidInputException with every problem; nothing was changed
     * @throws ConflictException if a rule denies all of one, or the session shares the host's
     *     network; nothing was changed
     */
    public boolean allow(List<String> hosts) throws InterruptedException {
        List<EgressRule> rules = rules(hosts, EgressRule::allow);
        boolean wasClosed = live.now().isEmpty();
        live.allow(rules);
        return wasClosed && SessionRuntime.runningCommands(SessionFiles.runtime(layout)) > 0;
    }

    /**
     * Denies hosts, whatever allows them.
     *
     * @param hosts rules as {@link EgressRule#deny} reads them
     * @throws InvalidInputException with every problem; nothing was changed
     * @throws ConflictException if the session shares the host's network
     */
    public void deny(List<String> hosts) throws InterruptedException {
        live.deny(rules(hosts, EgressRule::deny));
    }

    /**
     * Takes added rules away; those that the session was made with stay.
     *
     * @param hosts the rules as {@link #added} has them; empty for all
     * @throws InvalidInputException naming those that were not added; nothing was changed
     */
    public void reset(List<String> hosts) throws InterruptedException {
        live.reset(hosts);
    }

    private List<EgressRule> rules(List<String> texts, Function<String, EgressRule> read) {
        if (sharesHost()) {
            throw new ConflictException(
                    "session "
                            + record.id()
                            + " shares the whole network of the host (sandbox.unshare_net: false),"
                            + " which no rule narrows",
                    "make a session without that setting");
        }
        List<EgressRule> rules = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String text : texts) {
            try {
                rules.add(read.apply(text));
            } catch (InvalidInputException wrong) {
                problems.addAll(wrong.problems());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return rules;
    }

    /** What happened at its border and is still recorded, oldest first. */
    public List<EgressEvent> events() {
        return new EgressLog(layout.egressLog()).read();
    }

    /** The same, host by host. */
    public List<HostCount> counts() {
        return HostCount.of(events());
    }

    /** The same events, and then those that come. */
    public Following follow() {
        return new EgressTail(new EgressLog(layout.egressLog()))::next;
    }

    /** Events as they come. For one thread. */
    @FunctionalInterface
    public interface Following {
        /** Some of those that came since the last call; empty once there is none. Never waits. */
        List<EgressEvent> next();
    }
}
