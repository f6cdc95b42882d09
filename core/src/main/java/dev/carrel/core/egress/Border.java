package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressDenial;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressEvent.Protocol;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.IpAddress;
import dev.carrel.core.policy.Upstream;
import java.time.Instant;
import java.util.Optional;

/** What all connections of a proxy share. */
record Border(ProxySettings settings, Gate gate, Dialer dialer, Buffers buffers) {

    /** With parts of its own. */
    static Border of(ProxySettings settings, Lookups lookups) {
        return new Border(
                settings,
                new Gate(settings, lookups),
                new Dialer(settings, lookups),
                new Buffers());
    }

    EgressLimits limits() {
        return settings.limits();
    }

    void allowed(long number, Protocol protocol, Passage passage) {
        Authority to = passage.to();
        String address =
                passage.address()
                        .map(IpAddress::toString)
                        .or(() -> settings.upstream().map(Upstream::toString))
                        .orElse("");
        happened(
                new EgressEvent.Allowed(
                        Instant.now(),
                        number,
                        protocol,
                        to.host().toString(),
                        to.port(),
                        passage.rule().text(),
                        address));
    }

    void denied(long number, Protocol protocol, EgressDenial denial) {
        happened(
                new EgressEvent.Denied(
                        Instant.now(),
                        number,
                        protocol,
                        denial.host().toString(),
                        denial.port(),
                        denial.rule().map(EgressRule::text),
                        denial.decidedBy(),
                        denial.cure().map(EgressRule::text)));
    }

    void refused(long number, Protocol protocol, String why) {
        happened(new EgressEvent.Refused(Instant.now(), number, protocol, "", 0, why));
    }

    void failed(long number, Protocol protocol, Authority to, String why) {
        String host = to.host().toString();
        happened(new EgressEvent.Failed(Instant.now(), number, protocol, host, to.port(), why));
    }

    void closed(long number, Passage passage, Wire host, Optional<String> cut) {
        Authority to = passage.to();
        happened(
                new EgressEvent.Closed(
                        Instant.now(),
                        number,
                        to.host().toString(),
                        to.port(),
                        host.sent(),
                        host.received(),
                        cut.orElse("done")));
    }

    private void happened(EgressEvent event) {
        settings.listener().happened(event);
    }
}
