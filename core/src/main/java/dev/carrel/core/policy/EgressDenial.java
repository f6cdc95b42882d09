package dev.carrel.core.policy;

import dev.carrel.core.policy.EgressRule.Traffic;
import java.util.Optional;

/**
 * Why a session may not reach something, for whoever meets it: a client inside, a person, a log.
 *
 * @param host what was asked for
 * @param port its port
 * @param reason what decided
 */
public record EgressDenial(Host host, int port, Reason reason) {

    /** What decided. */
    public sealed interface Reason {}

    /**
     * No rule allows it.
     *
     * @param otherPort a rule that allows other ports of the host
     */
    public record NotListed(Optional<EgressRule> otherPort) implements Reason {}

    /** A rule denies it. */
    public record ByRule(EgressRule rule) implements Reason {}

    /** The name leads to an address that a rule denies. */
    public record ByAddressRule(IpAddress address, EgressRule rule) implements Reason {}

    /**
     * The name leads to an address that is not public.
     *
     * @param kind what it is, such as {@code loopback}
     */
    public record ByAddress(IpAddress address, String kind) implements Reason {}

    /**
     * The TLS in the tunnel is for another host.
     *
     * @param named the name it asks for, escaped; empty where it names none
     */
    public record OtherName(String named) implements Reason {}

    /** The tunnel does not begin with TLS. */
    public record NotTls() implements Reason {}

    /** What decided, in words: a rule's text, or that there is none. */
    public String decidedBy() {
        return switch (reason) {
            case NotListed(var otherPort) ->
                    otherPort
                            .map(rule -> "no rule allows this port (rule '" + rule + "' others)")
                            .orElse("no rule allows it");
            case ByRule(EgressRule rule) -> "rule '" + rule + "' denies it";
            case ByAddressRule(IpAddress address, EgressRule rule) ->
                    "it resolves to " + address + ", which rule '" + rule + "' denies";
            case ByAddress(IpAddress address, String kind) ->
                    "it resolves to " + address + ", which is " + kind;
            case OtherName(String named) when named.isEmpty() ->
                    "the TLS in the tunnel does not name the host";
            case OtherName(String named) -> "the TLS in the tunnel is for '" + named + "'";
            case NotTls _ -> "the tunnel does not begin with TLS";
        };
    }

    /** The rule that denies it, if one does. */
    public Optional<EgressRule> rule() {
        return switch (reason) {
            case ByRule(EgressRule rule) -> Optional.of(rule);
            case ByAddressRule(IpAddress _, EgressRule rule) -> Optional.of(rule);
            case NotListed _, ByAddress _, OtherName _, NotTls _ -> Optional.empty();
        };
    }

    /**
     * The narrowest rule that would allow it. None where a rule denies it, for that one always
     * wins, and none for TLS that says another name than its tunnel.
     */
    public Optional<EgressRule> cure() {
        return switch (reason) {
            case NotListed _ -> Optional.of(EgressRule.narrowest(host, port, Traffic.WEB));
            case ByAddress(IpAddress address, String _) ->
                    Optional.of(EgressRule.narrowest(new Host.Literal(address), port, Traffic.WEB));
            case NotTls _ -> Optional.of(EgressRule.narrowest(host, port, Traffic.ANY));
            case ByRule _, ByAddressRule _, OtherName _ -> Optional.empty();
        };
    }

    /** One line of printable ASCII: host, port, and what decided. */
    public String message() {
        return "egress to " + host + ":" + port + " is denied: " + decidedBy();
    }
}
