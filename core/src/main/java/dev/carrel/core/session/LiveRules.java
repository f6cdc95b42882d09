package dev.carrel.core.session;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.Locks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The rules of a session's network: those it was made with, and those that were added while it
 * lives, in a file that running proxies follow. Safe for many threads and processes.
 *
 * @param base what the session was made with
 * @param file where the others are
 * @param lock held while they are changed
 */
record LiveRules(EgressRules base, Path file, Path lock) {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);

    /** All that hold now. */
    EgressRules now() {
        return base.and(added());
    }

    /** Only those that were added. */
    EgressRules added() {
        return Json.readIfExists(file).map(EgressFormat::readRules).orElse(EgressRules.NONE);
    }

    /**
     * Adds a rule that allows; one that was added to deny the same goes.
     *
     * @throws ConflictException if another rule denies all of it, which would win
     */
    EgressRules allow(EgressRule rule) throws InterruptedException {
        return change(added -> {
            EgressRules wanted =
                    new EgressRules(with(added.allow(), rule), without(added.deny(), same(rule)));
            requireNotDenied(rule, base.and(wanted));
            return wanted;
        });
    }

    private static void requireNotDenied(EgressRule rule, EgressRules all) {
        all.deny().stream()
                .filter(denied -> denied.covers(rule))
                .findFirst()
                .ifPresent(denied -> {
                    throw new ConflictException(
                            "the rule '"
                                    + denied
                                    + "' denies '"
                                    + rule
                                    + "', and a rule that denies always wins",
                            "If it was added to this session: carrel egress ID reset "
                                    + denied
                                    + "; else take it out of egress.deny and make a new session.");
                });
    }

    /**
     * Fails where a rule that holds denies all of one of these, which would win.
     *
     * @throws ConflictException naming both
     */
    void requireNotDenied(List<EgressRule> allowed) {
        allowed.forEach(rule -> requireNotDenied(rule, now()));
    }

    /** Adds a rule that denies; one that was added to allow the same goes. */
    EgressRules deny(EgressRule rule) throws InterruptedException {
        return change(added ->
                new EgressRules(without(added.allow(), same(rule)), with(added.deny(), rule)));
    }

    /**
     * Takes the added rules of this text away, or all of them.
     *
     * @throws InvalidInputException if there is none of this text
     */
    EgressRules reset(java.util.Optional<String> text) throws InterruptedException {
        return change(added -> {
            Predicate<EgressRule> gone =
                    rule -> text.isEmpty() || rule.toString().equals(text.get());
            EgressRules left =
                    new EgressRules(without(added.allow(), gone), without(added.deny(), gone));
            if (text.isPresent() && left.equals(added)) {
                throw new InvalidInputException(
                        "no rule '" + text.get() + "' was added to this session",
                        added.equals(EgressRules.NONE)
                                ? "None was."
                                : "These were: " + texts(added));
            }
            return left;
        });
    }

    private static String texts(EgressRules rules) {
        List<EgressRule> all = new ArrayList<>(rules.allow());
        all.addAll(rules.deny());
        return String.join(", ", all.stream().map(EgressRule::toString).toList());
    }

    private EgressRules change(UnaryOperator<EgressRules> how) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(lock, "egress", LOCK_WITHIN)) {
            Json.write(file, EgressFormat.writeRules(how.apply(added())));
            return now();
        }
    }

    private static Predicate<EgressRule> same(EgressRule rule) {
        return other -> other.toString().equals(rule.toString());
    }

    private static List<EgressRule> with(List<EgressRule> rules, EgressRule more) {
        List<EgressRule> all = new ArrayList<>(rules);
        all.add(more);
        return all;
    }

    private static List<EgressRule> without(List<EgressRule> rules, Predicate<EgressRule> gone) {
        return rules.stream().filter(gone.negate()).toList();
    }
}
