package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import dev.carrel.core.policy.Upstream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a proxy is started with.
 *
 * @param rules the rules that hold now; asked for every connection and every request, so it answers
 *     fast. What it throws denies.
 * @param listener where events go
 * @param command the command that adds a rule to the session's allow list, for the texts of denials
 * @param limits what the session may ask of the proxy
 * @param hosts addresses of names that DNS is not asked for
 * @param upstream the proxy above this one, if there is one
 * @param resolver who turns names into addresses
 */
public record ProxySettings(
        Supplier<EgressRules> rules,
        EgressListener listener,
        Function<EgressRule, String> command,
        EgressLimits limits,
        Map<Host.Name, IpAddress> hosts,
        Optional<Upstream> upstream,
        Resolver resolver) {

    public ProxySettings {
        hosts = Map.copyOf(hosts);
    }

    /** Rules and a listener; everything else as it is by default. */
    public static ProxySettings of(Supplier<EgressRules> rules, EgressListener listener) {
        return new ProxySettings(
                rules,
                listener,
                rule -> "egress.allow: [" + rule + "]",
                EgressLimits.DEFAULT,
                Map.of(),
                Optional.empty(),
                new SystemResolver());
    }

    /** With the command that adds a rule, for example {@code carrel egress ID allow RULE}. */
    public ProxySettings withCommand(Function<EgressRule, String> adding) {
        return new ProxySettings(rules, listener, adding, limits, hosts, upstream, resolver);
    }

    public ProxySettings withLimits(EgressLimits other) {
        return new ProxySettings(rules, listener, command, other, hosts, upstream, resolver);
    }

    /**
     * With addresses of names that DNS is not asked for. The address is judged as any other: one
     * that is not public has to be in the allow list itself.
     */
    public ProxySettings withHosts(Map<Host.Name, IpAddress> addresses) {
        return new ProxySettings(rules, listener, command, limits, addresses, upstream, resolver);
    }

    public ProxySettings withUpstream(Upstream above) {
        return new ProxySettings(
                rules, listener, command, limits, hosts, Optional.of(above), resolver);
    }

    public ProxySettings withResolver(Resolver other) {
        return new ProxySettings(rules, listener, command, limits, hosts, upstream, other);
    }
}
