package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressDenial;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRule.Traffic;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.EgressVerdict;
import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Judges whom a request is for: first the host by the rules, so that DNS is never asked for a
 * denied name, then each of its addresses. The addresses that pass are the only ones dialled.
 */
final class Gate {

    private final ProxySettings settings;
    private final Lookups lookups;
    private final OwnAddresses own = new OwnAddresses();

    Gate(ProxySettings settings, Lookups lookups) {
        this.settings = settings;
        this.lookups = lookups;
    }

    /** What came of it. */
    sealed interface Judgement {

        /**
         * It may be reached.
         *
         * @param rule the rule that allows it
         * @param addresses at least one, but where a proxy above gets the name: then none
         */
        record Open(EgressRule rule, List<IpAddress> addresses) implements Judgement {}

        /** It may not. */
        record Denied(EgressDenial denial) implements Judgement {}

        /** It might, but there is no such host. */
        record Unresolved(String why) implements Judgement {}
    }

    Judgement judge(Authority to) throws InterruptedException {
        EgressRules rules = settings.rules().get();
        return switch (rules.judge(to.host(), to.port())) {
            case EgressVerdict.Denied(EgressDenial denial) -> new Judgement.Denied(denial);
            case EgressVerdict.Allowed(EgressRule rule) -> allowed(to, rule, rules);
        };
    }

    private Judgement allowed(Authority to, EgressRule rule, EgressRules rules)
            throws InterruptedException {
        List<IpAddress> addresses =
                switch (to.host()) {
                    case Host.Literal(IpAddress address) -> List.of(address);
                    case Host.Name name -> {
                        IpAddress set = settings.hosts().get(name);
                        if (set != null) {
                            yield List.of(set);
                        }
                        if (settings.upstream().isPresent()) {
                            yield List.of();
                        }
                        yield lookups.resolve(name);
                    }
                };
        if (addresses.isEmpty()) {
            return settings.upstream().isPresent()
                    ? new Judgement.Open(rule, addresses)
                    : new Judgement.Unresolved("the name has no address");
        }
        return addresses(to, rule, rules, addresses);
    }

    private Judgement addresses(
            Authority to, EgressRule rule, EgressRules rules, List<IpAddress> addresses) {
        List<IpAddress> good = new ArrayList<>();
        List<EgressDenial.Reason> reasons = new ArrayList<>();
        for (IpAddress address : addresses) {
            Optional<EgressDenial.Reason> reason = refusal(address, to.port(), rules);
            reason.ifPresentOrElse(reasons::add, () -> good.add(address));
        }
        return good.isEmpty()
                ? new Judgement.Denied(new EgressDenial(to.host(), to.port(), reasons.getFirst()))
                : new Judgement.Open(rule, good);
    }

    private Optional<EgressDenial.Reason> refusal(IpAddress address, int port, EgressRules rules) {
        Optional<EgressRule> denying = rules.denying(address, port);
        if (denying.isPresent()) {
            return Optional.of(new EgressDenial.ByAddressRule(address, denying.get()));
        }
        if (rules.naming(address, port).isPresent()) {
            return Optional.empty();
        }
        return kind(address).map(kind -> new EgressDenial.ByAddress(address, kind));
    }

    private Optional<String> kind(IpAddress address) {
        Optional<String> known = AddressTable.kind(address);
        if (known.isPresent()) {
            return known;
        }
        try {
            return own.contains(address)
                    ? Optional.of("an address of this machine")
                    : Optional.empty();
        } catch (SocketException unknown) {
            return Optional.of("not known to belong to another machine");
        }
    }

    /** Whether what is open would be opened again now. */
    boolean stillAllows(Passage open) {
        EgressRules rules = settings.rules().get();
        Authority to = open.to();
        if (!(rules.judge(to.host(), to.port())
                instanceof EgressVerdict.Allowed(EgressRule rule))) {
            return false;
        }
        boolean narrowed = open.rule().traffic() == Traffic.ANY && rule.traffic() == Traffic.WEB;
        return !narrowed
                && open.address().flatMap(address -> refusal(address, to.port(), rules)).isEmpty();
    }
}
