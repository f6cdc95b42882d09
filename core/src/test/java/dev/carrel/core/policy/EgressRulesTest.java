package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.carrel.core.failure.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EgressRulesTest {

    private static EgressRules rules(List<String> allow, List<String> deny) {
        return new EgressRules(
                allow.stream().map(EgressRule::allow).toList(),
                deny.stream().map(EgressRule::deny).toList());
    }

    private static String judged(EgressRules rules, String host, int port) {
        return switch (rules.judge(Host.parse(host), port)) {
            case EgressVerdict.Allowed(EgressRule rule) -> "allowed by " + rule;
            case EgressVerdict.Denied(EgressDenial denial) -> denial.message();
        };
    }

    /** NW-02: the empty list is the strictest. */
    @Test
    @Tag("NW-02")
    void withoutRulesNothingIsReached() {
        assertThat(EgressRules.NONE.isEmpty()).isTrue();
        assertThat(judged(EgressRules.NONE, "example.org", 443))
                .isEqualTo("egress to example.org:443 is denied: no rule allows it");
        EgressRules denying = rules(List.of(), List.of("other.example"));
        assertThat(denying.isEmpty()).isTrue();
        assertThat(judged(denying, "example.org", 443)).endsWith("no rule allows it");
    }

    @Test
    void denyWinsInAnyOrder() {
        EgressRules narrow = rules(List.of("*.a.example"), List.of("api.a.example"));
        EgressRules wide = rules(List.of("api.example"), List.of("*.example"));

        assertThat(judged(narrow, "api.a.example", 443))
                .isEqualTo("egress to api.a.example:443 is denied: rule 'api.a.example' denies it");
        assertThat(judged(narrow, "www.a.example", 443)).isEqualTo("allowed by *.a.example");
        assertThat(judged(wide, "api.example", 443)).endsWith("rule '*.example' denies it");
    }

    @Test
    void theRuleThatDecidesIsNamed() {
        EgressRules rules =
                rules(List.of("a.example", "tcp://a.example:443", "b.example:22"), List.of());

        assertThat(judged(rules, "a.example", 80)).isEqualTo("allowed by a.example");
        assertThat(judged(rules, "a.example", 443))
                .as("the wider one, or a rule would forbid what another one allows")
                .isEqualTo("allowed by tcp://a.example:443");
        assertThat(judged(rules, "b.example", 443))
                .endsWith("no rule allows this port (rule 'b.example:22' others)");
    }

    @Test
    void aDenialKnowsTheNarrowestRuleThatWouldAllowIt() {
        EgressRules rules = rules(List.of("*.a.example"), List.of("b.example"));
        EgressVerdict.Denied unlisted =
                (EgressVerdict.Denied) rules.judge(Host.parse("other.test"), 8443);
        EgressVerdict.Denied denied =
                (EgressVerdict.Denied) rules.judge(Host.parse("b.example"), 443);

        assertThat(unlisted.denial().cure()).contains(EgressRule.allow("other.test:8443"));
        assertThat(denied.denial().cure()).isEmpty();
        assertThat(denied.denial().rule()).contains(EgressRule.deny("b.example"));
    }

    @Test
    void reasonsFoundLaterHaveWordsAndCures() {
        Host host = Host.parse("a.example");
        IpAddress address = IpAddress.parse("10.0.0.1");
        assertThat(new EgressDenial(host, 443, new EgressDenial.ByAddress(address, "loopback")))
                .extracting(EgressDenial::decidedBy, denial -> denial.cure().orElseThrow().text())
                .containsExactly("it resolves to 10.0.0.1, which is loopback", "10.0.0.1:443");
        assertThat(new EgressDenial(host, 22, new EgressDenial.NotTls()))
                .extracting(EgressDenial::decidedBy, denial -> denial.cure().orElseThrow().text())
                .containsExactly("the tunnel does not begin with TLS", "tcp://a.example:22");
        assertThat(new EgressDenial(host, 443, new EgressDenial.OtherName("")).decidedBy())
                .isEqualTo("the TLS in the tunnel does not name the host");
    }

    @Test
    void everyProblemIsReportedWithItsRule() {
        InvalidInputException problems =
                catchThrowableOfType(
                        InvalidInputException.class,
                        () ->
                                EgressRules.parse(
                                        List.of("*", "good.example", "x:0"),
                                        List.of("10.0.0.1/8")));

        assertThat(problems.problems()).hasSize(3);
        assertThat(problems.problems().get(0)).startsWith("the rule '*': ");
        assertThat(problems.problems().get(1)).startsWith("the rule 'x:0': ");
        assertThat(problems.problems().get(2))
                .startsWith("the rule '10.0.0.1/8': ")
                .contains("10.0.0.0/8");
    }

    @Test
    void aRuleThatCanNeverMatchIsAProblemOfSettingsAndNoneOfALiveSession() {
        List<String> allow =
                List.of("a.example", "b.example:22", "*.c.example", "10.0.0.1", "d.example");
        List<String> deny =
                List.of("a.example", "*.example:22", "*.example", "10.0.0.0/8", "d.example:443");
        InvalidInputException problems =
                catchThrowableOfType(
                        InvalidInputException.class, () -> EgressRules.parse(allow, deny));

        assertThat(problems.problems())
                .containsExactly(
                        "the rule 'a.example' can never match: 'a.example' denies all of it",
                        "the rule 'b.example:22' can never match: '*.example:22' denies all of it",
                        "the rule '*.c.example' can never match: '*.example' denies all of it",
                        "the rule '10.0.0.1' can never match: '10.0.0.0/8' denies all of it",
                        "the rule 'd.example' can never match: '*.example' denies all of it");
        assertThat(rules(allow, deny).contradictions()).hasSize(5);
        assertThat(rules(List.of("d.example"), List.of("d.example:443")).contradictions())
                .isEmpty();
    }

    @Test
    void duplicatesAreFine() {
        EgressRules rules = EgressRules.parse(List.of("a.example", "A.example."), List.of());

        assertThat(rules.allow()).containsExactly(EgressRule.allow("a.example"));
    }

    @Test
    void sharedHostingIsWorthAWarning() {
        EgressRules rules = EgressRules.parse(List.of("*.github.io", "me.github.io"), List.of());

        assertThat(rules.warnings())
                .containsExactly("the rule '*.github.io' allows hosts that anybody can publish on");
    }

    @Test
    void addressesAreDeniedHoweverTheyAreWritten() {
        EgressRules rules = rules(List.of("[64:ff9b::a01:203]"), List.of("10.0.0.0/8"));

        assertThat(rules.denying(IpAddress.parse("10.1.2.3"), 443)).isPresent();
        assertThat(rules.denying(IpAddress.parse("::ffff:10.1.2.3"), 443)).isPresent();
        assertThat(rules.denying(IpAddress.parse("64:ff9b::10.1.2.3"), 443)).isPresent();
        assertThat(rules.denying(IpAddress.parse("2002:a01:203::1"), 443)).isPresent();
        assertThat(rules.denying(IpAddress.parse("::10.1.2.3"), 443)).isPresent();
        assertThat(rules.denying(IpAddress.parse("11.1.2.3"), 443)).isEmpty();
    }

    @Test
    void anAddressIsAnExceptionAtItsPortsOnly() {
        EgressRules rules = rules(List.of("127.0.0.1:5432", "*.a.example"), List.of());

        assertThat(rules.naming(IpAddress.parse("127.0.0.1"), 5432)).isPresent();
        assertThat(rules.naming(IpAddress.parse("127.0.0.1"), 5433)).isEmpty();
        assertThat(rules.naming(IpAddress.parse("127.0.0.2"), 5432)).isEmpty();
    }

    @Test
    void furtherRulesAreAdded() {
        EgressRules both =
                rules(List.of("a.example"), List.of())
                        .and(rules(List.of("b.example"), List.of("a.example")));

        assertThat(judged(both, "b.example", 443)).startsWith("allowed");
        assertThat(judged(both, "a.example", 443)).endsWith("rule 'a.example' denies it");
    }
}
