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
     * Adds rules that allow; those that were added to deny the same go.
     *
     * @throws ConflictException if another rule denies all of one, which would win; nothing was
     *     changed
     */
    EgressRules allow(List<EgressRule> rules) throws InterruptedException {
        return change(added -> {
            EgressRules wanted =
                    new EgressRules(with(added.allow(), rules), without(added.deny(), same(rules)));
            rules.forEach(rule -> requireNotDenied(rule, base.and(wanted)));
            return wanted;
        });
    }

    private void requireNotDenied(EgressRule rule, EgressRules all) {
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
                            base.deny().contains(denied)
                                    ? "take it out of egress.deny, and make a new session"
                                    : "carrel egress " + session() + " reset " + denied);
                });
    }

    private String session() {
        return file.toAbsolutePath().getName(file.toAbsolutePath().getNameCount() - 2).toString();
    }

    /**
     * Fails where a rule that holds denies all of one of these, which would win.
     *
     * @throws ConflictException naming both
     */
    void requireNotDenied(List<EgressRule> allowed) {
        allowed.forEach(rule -> requireNotDenied(rule, now()));
    }

    /** Adds rules that deny; those that were added to allow the same go. */
    EgressRules deny(List<EgressRule> rules) throws InterruptedException {
        return change(added ->
                new EgressRules(without(added.allow(), same(rules)), with(added.deny(), rules)));
    }

    /**
     * Takes the added rules of these texts away, or all where there is no text.
     *
     * @throws InvalidInputException naming all texts that no added rule has; nothing was changed
     */
    EgressRules reset(List<String> texts) throws InterruptedException {
        return change(added -> {
            List<String> known = texts(added);
            List<String> problems =
                    texts.stream()
                            .filter(text -> !known.contains(text))
                            .map(text -> "no rule '" + text + "' was added to this session")
                            .toList();
            if (!problems.isEmpty()) {
                throw new InvalidInputException(
                        problems,
                        known.isEmpty()
                                ? "none was added; those that a session was made with stay"
                                : "these were: " + String.join(", ", known));
            }
            Predicate<EgressRule> gone = rule -> texts.isEmpty() || texts.contains(rule.toString());
            return new EgressRules(without(added.allow(), gone), without(added.deny(), gone));
        });
    }

    private static List<String> texts(EgressRules rules) {
        List<EgressRule> all = new ArrayList<>(rules.allow());
        all.addAll(rules.deny());
        return all.stream().map(EgressRule::toString).toList();
    }

    private EgressRules change(UnaryOperator<EgressRules> how) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(lock, "egress", LOCK_WITHIN)) {
            Json.write(file, EgressFormat.writeRules(how.apply(added())));
            return now();
        }
    }

    private static Predicate<EgressRule> same(List<EgressRule> rules) {
        List<String> texts = rules.stream().map(EgressRule::toString).toList();
        return other -> texts.contains(other.toString());
    }

    private static List<EgressRule> with(List<EgressRule> rules, List<EgressRule> more) {
        List<EgressRule> all = new ArrayList<>(rules);
        all.addAll(more);
        return all;
    }

    private static List<EgressRule> without(List<EgressRule> rules, Predicate<EgressRule> gone) {
        return rules.stream().filter(gone.negate()).toList();
    }
}
