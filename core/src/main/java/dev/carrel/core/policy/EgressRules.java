package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule.Target;
import dev.carrel.core.policy.EgressRule.Traffic;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a session may reach: a host is reached when a rule allows it and none denies it, in whatever
 * order they are written. Without a rule nothing is.
 *
 * @param allow each rule once
 * @param deny each rule once
 */
public record EgressRules(List<EgressRule> allow, List<EgressRule> deny) {

    /** Nothing is reached. */
    public static final EgressRules NONE = new EgressRules(List.of(), List.of());

    public EgressRules {
        allow = List.copyOf(new LinkedHashSet<>(allow));
        deny = List.copyOf(new LinkedHashSet<>(deny));
    }

    /**
     * Reads both lists.
     *
     * @throws InvalidInputException with every problem, each with the text of its rule; also for a
     *     rule that can never match, because another one denies all that it allows
     */
    public static EgressRules parse(List<String> allow, List<String> deny) {
        List<String> problems = new ArrayList<>();
        EgressRules rules =
                new EgressRules(
                        each(allow, EgressRule::allow, problems),
                        each(deny, EgressRule::deny, problems));
        problems.addAll(rules.contradictions());
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return rules;
    }

    private static List<EgressRule> each(
            List<String> texts, Function<String, EgressRule> read, List<String> problems) {
        List<EgressRule> rules = new ArrayList<>();
        for (String text : texts) {
            try {
                rules.add(read.apply(text));
            } catch (InvalidInputException wrong) {
                problems.addAll(wrong.problems());
            }
        }
        return rules;
    }

    /**
     * The rules that can never match, in words. No error for a session that runs: who denies a host
     * for a while keeps the rule that allows it.
     */
    public List<String> contradictions() {
        List<String> dead = new ArrayList<>();
        for (EgressRule allowed : allow) {
            deny.stream()
                    .filter(denied -> denied.covers(allowed))
                    .findFirst()
                    .ifPresent(denied ->
                            dead.add(
                                    "the rule '"
                                            + allowed
                                            + "' can never match: '"
                                            + denied
                                            + "' denies all of it"));
        }
        return dead;
    }

    /** What is allowed wider than it looks, in words; worth a notice, no error. */
    public List<String> warnings() {
        return allow.stream()
                .filter(rule ->
                        rule.target() instanceof Target.Below(Host.Name name)
                                && PublicSuffixes.isShared(name))
                .map(rule -> "the rule '" + rule + "' allows hosts that anybody can publish on")
                .toList();
    }

    /** Whether nothing is allowed, so that no network is needed at all. */
    public boolean isEmpty() {
        return allow.isEmpty();
    }

    /** Judges a host before anything is asked of DNS. */
    public EgressVerdict judge(Host host, int port) {
        Optional<EgressRule> denying =
                deny.stream().filter(rule -> rule.matches(host, port)).findFirst();
        if (denying.isPresent()) {
            return new EgressVerdict.Denied(
                    new EgressDenial(host, port, new EgressDenial.ByRule(denying.get())));
        }
        List<EgressRule> allowing =
                allow.stream().filter(rule -> rule.matches(host, port)).toList();
        // The wider one decides, or a rule would forbid what another one allows.
        Optional<EgressRule> widest =
                allowing.stream()
                        .filter(rule -> rule.traffic() == Traffic.ANY)
                        .findFirst()
                        .or(() -> allowing.stream().findFirst());
        return widest.<EgressVerdict>map(EgressVerdict.Allowed::new)
                .orElseGet(() -> notListed(host, port));
    }

    private EgressVerdict notListed(Host host, int port) {
        Optional<EgressRule> otherPort =
                allow.stream().filter(rule -> rule.matchesHost(host)).findFirst();
        return new EgressVerdict.Denied(
                new EgressDenial(host, port, new EgressDenial.NotListed(otherPort)));
    }

    /** The rule that denies an address, whatever name led there. */
    public Optional<EgressRule> denying(IpAddress address, int port) {
        Host literal = new Host.Literal(address);
        Optional<Host> carried = address.carried().map(Host.Literal::new);
        return deny.stream()
                .filter(rule ->
                        rule.matches(literal, port)
                                || carried.filter(to -> rule.matches(to, port)).isPresent())
                .findFirst();
    }

    /** The rule that names this very address, whatever name led there. */
    public Optional<EgressRule> naming(IpAddress address, int port) {
        Host literal = new Host.Literal(address);
        return allow.stream().filter(rule -> rule.matches(literal, port)).findFirst();
    }

    /** These with further rules. */
    public EgressRules and(EgressRules more) {
        List<EgressRule> allAllow = new ArrayList<>(allow);
        allAllow.addAll(more.allow);
        List<EgressRule> allDeny = new ArrayList<>(deny);
        allDeny.addAll(more.deny);
        return new EgressRules(allAllow, allDeny);
    }
}
