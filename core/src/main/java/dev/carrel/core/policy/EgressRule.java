package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;

/**
 * One line of an allow list or a deny list.
 *
 * @param target which hosts it is about
 * @param ports which of their ports
 * @param traffic what may be said there
 */
public record EgressRule(Target target, Ports ports, Traffic traffic) {

    /** Which hosts a rule is about. */
    public sealed interface Target {

        /** One name or one address. */
        record One(Host host) implements Target {}

        /** All names below one, not itself; never an address. */
        record Below(Host.Name name) implements Target {}

        /** All addresses of a block; only in deny lists. */
        record Block(IpBlock block) implements Target {}
    }

    /** Which ports a rule is about. */
    public sealed interface Ports {

        /** 80 and 443: what an allow rule without a port means. */
        record Web() implements Ports {}

        /** One, from 1 to 65535. */
        record Single(int port) implements Ports {

            public Single {
                if (port < 1 || port > 65535) {
                    throw new InvalidInputException("a port lies between 1 and 65535: " + port);
                }
            }
        }

        /** All: what a deny rule without a port means. */
        record Every() implements Ports {}
    }

    /** What may be said to a host. */
    public enum Traffic {
        /** HTTP requests, and tunnels that begin with TLS for the very host. */
        WEB,
        /** Any bytes at all: {@code tcp://}. */
        ANY,
        /** Whatever it is: what a deny rule is about. */
        ALL
    }

    /**
     * Reads a rule of an allow list: {@code host}, {@code host:port}, {@code *.host}, {@code
     * *.host:port}, {@code tcp://host:port}; the host is a name, an IPv4 address or an IPv6 address
     * in brackets.
     *
     * @throws InvalidInputException with the rule's text, for what is no rule, can never match, or
     *     allows everything by accident
     */
    public static EgressRule allow(String text) {
        return new RuleText(text).allow();
    }

    /**
     * Reads a rule of a deny list: the same without {@code tcp://}, and blocks of addresses such as
     * {@code 192.0.2.0/24}. Without a port it denies every port.
     *
     * @throws InvalidInputException with the rule's text
     */
    public static EgressRule deny(String text) {
        return new RuleText(text).deny();
    }

    /** The narrowest rule that allows this and nothing else. */
    public static EgressRule narrowest(Host host, int port, Traffic traffic) {
        return new EgressRule(new Target.One(host), new Ports.Single(port), traffic);
    }

    /** Whether the rule is about a port of a host. */
    public boolean matches(Host host, int port) {
        return matchesHost(host) && matchesPort(port);
    }

    /** Whether it is about the host, at whatever port. */
    public boolean matchesHost(Host host) {
        return switch (target) {
            case Target.One(Host one) -> one.equals(host);
            case Target.Below(Host.Name above) ->
                    host instanceof Host.Name name && name.isBelow(above);
            case Target.Block(IpBlock block) ->
                    host instanceof Host.Literal(IpAddress address) && block.contains(address);
        };
    }

    private boolean matchesPort(int port) {
        return switch (ports) {
            case Ports.Web _ -> port == 80 || port == 443;
            case Ports.Single(int single) -> port == single;
            case Ports.Every _ -> true;
        };
    }

    /** Whether it is about everything that the other rule is about. */
    public boolean covers(EgressRule other) {
        boolean ports =
                switch (other.ports) {
                    case Ports.Web _ -> matchesPort(80) && matchesPort(443);
                    case Ports.Single(int port) -> matchesPort(port);
                    case Ports.Every _ -> this.ports instanceof Ports.Every;
                };
        return ports && coversTarget(other.target);
    }

    private boolean coversTarget(Target other) {
        return switch (other) {
            case Target.One(Host host) -> matchesHost(host);
            case Target.Below(Host.Name name) ->
                    target instanceof Target.Below(Host.Name above)
                            && (name.equals(above) || name.isBelow(above));
            case Target.Block _ -> target.equals(other);
        };
    }

    /** The rule as it is written in its list. */
    public String text() {
        String host =
                switch (target) {
                    case Target.One(Host one) -> one.toString();
                    case Target.Below(Host.Name name) -> "*." + name;
                    case Target.Block(IpBlock block) -> block.toString();
                };
        String port = ports instanceof Ports.Single(int single) ? ":" + single : "";
        return (traffic == Traffic.ANY && !port.isEmpty() ? "tcp://" : "") + host + port;
    }

    @Override
    public String toString() {
        return text();
    }
}
