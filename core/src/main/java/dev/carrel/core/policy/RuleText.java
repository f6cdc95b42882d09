package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule.Ports;
import dev.carrel.core.policy.EgressRule.Target;
import dev.carrel.core.policy.EgressRule.Traffic;
import java.util.Optional;

/** Reads a rule, and says of one that means nothing, or too much, why. */
final class RuleText {

    private static final String TCP = "tcp://";
    private static final String STAR = "*.";

    private final String text;

    RuleText(String text) {
        this.text = text;
    }

    EgressRule allow() {
        boolean tcp = text.startsWith(TCP);
        String address = tcp ? text.substring(TCP.length()) : text;
        refuseUrlParts(address);
        if (address.indexOf('/') >= 0) {
            throw wrong("a block of addresses can be denied, not allowed; name each address");
        }
        Optional<Integer> port = port(address);
        if (tcp && port.isEmpty()) {
            throw wrong("a tcp:// rule names its port: tcp://host:22");
        }
        Target target = target(host(address), true);
        Ports ports = port.<Ports>map(Ports.Single::new).orElseGet(Ports.Web::new);
        return new EgressRule(target, ports, tcp ? Traffic.ANY : Traffic.WEB);
    }

    EgressRule deny() {
        if (text.startsWith(TCP)) {
            throw wrong("a deny holds for all traffic; write it without tcp://");
        }
        refuseUrlParts(text);
        if (text.indexOf('/') >= 0) {
            Target block = new Target.Block(block());
            return new EgressRule(block, new Ports.Every(), Traffic.ALL);
        }
        Target target = target(host(text), false);
        Ports ports = port(text).<Ports>map(Ports.Single::new).orElseGet(Ports.Every::new);
        return new EgressRule(target, ports, Traffic.ALL);
    }

    private void refuseUrlParts(String address) {
        int scheme = address.indexOf("://");
        if (scheme >= 0) {
            throw wrong("a rule has no scheme but tcp://; write the host alone");
        }
        if (address.indexOf('@') >= 0) {
            throw wrong("a rule names no user; write the host alone");
        }
        if (address.indexOf('?') >= 0 || address.indexOf('#') >= 0) {
            throw wrong("a rule judges hosts, no paths; write the host alone");
        }
        int slash = address.indexOf('/');
        if (slash >= 0 && IpText.parse(address.substring(0, slash)).isEmpty()) {
            throw wrong("a rule judges hosts, no paths; write the host alone");
        }
    }

    private IpBlock block() {
        try {
            return IpBlock.parse(text);
        } catch (InvalidInputException no) {
            throw wrong(no.message());
        }
    }

    /** Where the port begins: after the brackets, or after the only colon. */
    private int colon(String address) {
        int close = address.lastIndexOf(']');
        int colon = address.indexOf(':', Math.max(close, 0));
        if (colon != address.lastIndexOf(':') && close < 0) {
            throw wrong("an IPv6 address stands in brackets: [2001:db8::1] or [2001:db8::1]:443");
        }
        return colon;
    }

    private String host(String address) {
        int colon = colon(address);
        return colon < 0 ? address : address.substring(0, colon);
    }

    private Optional<Integer> port(String address) {
        int colon = colon(address);
        if (colon < 0) {
            return Optional.empty();
        }
        int port = IpText.decimal(address.substring(colon + 1));
        if (port < 1 || port > 65535) {
            throw wrong("a port is a number from 1 to 65535, one in a rule");
        }
        return Optional.of(port);
    }

    private Target target(String host, boolean allow) {
        if (host.equals("*")) {
            throw wrong(
                    allow
                            ? "it would allow every host; name those that are needed"
                            : "it would deny every host; an empty allow list does that");
        }
        if (host.startsWith(STAR)) {
            return below(host.substring(STAR.length()), allow);
        }
        if (host.indexOf('*') >= 0) {
            throw wrong(
                    "a star stands for whole labels at the beginning, as in *.example.org;"
                            + " addresses have none");
        }
        Host one = parsed(host);
        if (allow) {
            refuseUnreachable(one);
        }
        return new Target.One(one);
    }

    private Target below(String rest, boolean allow) {
        if (rest.indexOf('*') >= 0 || !(parsed(rest) instanceof Host.Name name)) {
            throw wrong("after *. comes a name, as in *.example.org");
        }
        if (allow && isLocal(name)) {
            throw wrong(
                    "names below localhost are this machine; see egress.host_ports for its ports");
        }
        if (allow && (name.isSingleLabel() || PublicSuffixes.isRegistry(name))) {
            throw wrong(
                    "below "
                            + name
                            + " anybody can register a name, so it would allow everybody;"
                            + " name the hosts, or *.yours."
                            + name);
        }
        return new Target.Below(name);
    }

    private void refuseUnreachable(Host host) {
        switch (host) {
            case Host.Name name -> {
                if (isLocal(name)) {
                    throw wrong(
                            "the name means the sandbox's own loopback; see egress.host_ports for"
                                    + " ports of this machine");
                }
            }
            case Host.Literal(IpAddress address) -> {
                boolean unspecified = address.high() == 0 && address.low() == 0;
                boolean multicast =
                        address.six() ? address.high() >>> 56 == 0xff : address.low() >>> 28 == 0xe;
                boolean broadcast = !address.six() && address.low() == 0xffffffffL;
                if (unspecified || multicast || broadcast) {
                    throw wrong("no connection can be made to this address");
                }
            }
        }
    }

    private static boolean isLocal(Host.Name name) {
        return name.text().equals("localhost") || name.text().endsWith(".localhost");
    }

    private Host parsed(String host) {
        try {
            return Host.parseSetting(host);
        } catch (InvalidInputException no) {
            throw wrong(no.message());
        }
    }

    private InvalidInputException wrong(String why) {
        return new InvalidInputException("the rule " + Visible.quoted(text) + ": " + why);
    }
}
