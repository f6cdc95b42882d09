package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule.Traffic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EgressRuleTest {

    @ParameterizedTest
    @CsvSource({
        // rule, its normal text, a host, a port, whether it is about both
        "example.org, example.org, example.org, 443, true",
        "example.org, example.org, example.org, 80, true",
        "example.org, example.org, example.org, 22, false",
        "example.org, example.org, example.org, 8443, false",
        "example.org, example.org, a.example.org, 443, false",
        "example.org, example.org, evilexample.org, 443, false",
        "Example.ORG., example.org, EXAMPLE.org., 443, true",
        "example.org:8443, example.org:8443, example.org, 8443, true",
        "example.org:8443, example.org:8443, example.org, 443, false",
        "example.org:443, example.org:443, example.org, 80, false",
        "*.example.org, *.example.org, a.example.org, 443, true",
        "*.example.org, *.example.org, a.b.example.org, 80, true",
        "*.example.org, *.example.org, example.org, 443, false",
        "*.example.org, *.example.org, aexample.org, 443, false",
        "*.example.org, *.example.org, example.org.evil.example, 443, false",
        "*.example.org, *.example.org, a.example.org, 22, false",
        "*.example.org:8443, *.example.org:8443, a.example.org, 8443, true",
        "tcp://example.org:22, tcp://example.org:22, example.org, 22, true",
        "tcp://example.org:22, tcp://example.org:22, example.org, 443, false",
        "tcp://*.example.org:22, tcp://*.example.org:22, a.example.org, 22, true",
        "192.0.2.1, 192.0.2.1, 192.0.2.1, 443, true",
        "192.0.2.1, 192.0.2.1, 192.0.2.2, 443, false",
        "192.0.2.1:5432, 192.0.2.1:5432, 192.0.2.1, 5432, true",
        "[2001:DB8::1], [2001:db8::1], [2001:db8:0::1], 443, true",
        "[2001:db8::1]:8080, [2001:db8::1]:8080, [2001:db8::1], 8080, true",
        "[::ffff:192.0.2.1], 192.0.2.1, 192.0.2.1, 80, true",
        "b\u00fccher.example, xn--bcher-kva.example, xn--bcher-kva.example, 443, true",
        "localhost.example, localhost.example, localhost.example, 443, true"
    })
    @Tag("NW-10")
    void anAllowRuleIsAboutWhatItSays(
            String rule, String text, String host, int port, boolean matches) {
        EgressRule read = EgressRule.allow(rule);

        assertThat(read.text()).isEqualTo(text);
        assertThat(EgressRule.allow(read.text())).isEqualTo(read);
        assertThat(read.matches(Host.parse(host), port)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "example.org, example.org, example.org, 9999, true",
        "example.org, example.org, a.example.org, 443, false",
        "example.org:22, example.org:22, example.org, 22, true",
        "example.org:22, example.org:22, example.org, 443, false",
        "*.example.org, *.example.org, a.example.org, 1, true",
        "*.org, *.org, example.org, 443, true",
        "10.0.0.0/8, 10.0.0.0/8, 10.255.0.1, 443, true",
        "10.0.0.0/8, 10.0.0.0/8, 11.0.0.1, 443, false",
        "10.0.0.0/8, 10.0.0.0/8, ten.example, 443, false",
        "192.0.2.1/32, 192.0.2.1/32, 192.0.2.1, 1, true",
        "0.0.0.0/0, 0.0.0.0/0, 192.0.2.1, 1, true",
        "0.0.0.0/0, 0.0.0.0/0, [2001:db8::1], 1, false",
        "2001:db8::/32, 2001:db8::/32, [2001:db8:ffff::1], 1, true",
        "2001:db8::/65, 2001:db8::/65, [2001:db8::1], 1, true",
        "2001:db8::/65, 2001:db8::/65, [2001:db8::8000:0:0:1], 1, false",
        "::/0, ::/0, [2001:db8::1], 1, true",
        "[2001:db8::1]:80, [2001:db8::1]:80, [2001:db8::1], 80, true"
    })
    void aDenyRuleIsAboutWhatItSays(
            String rule, String text, String host, int port, boolean matches) {
        EgressRule read = EgressRule.deny(rule);

        assertThat(read.text()).isEqualTo(text);
        assertThat(EgressRule.deny(read.text())).isEqualTo(read);
        assertThat(read.matches(Host.parse(host), port)).isEqualTo(matches);
    }

    /** NW-11 and what else allows too much, nothing, or is no rule. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "*",
                "*.",
                "*.*",
                "*.com",
                "*.COM.",
                "*.co.uk",
                "*.com.au",
                "*.localhost",
                "localhost",
                "a.localhost",
                "10.*",
                "*.0.0.1",
                "*.10.0.0.1",
                "*.[::1]",
                "ex*mple.org",
                "*example.org",
                "a.*.example.org",
                "**.example.org",
                "example.*",
                "http://example.org",
                "https://example.org/",
                "ftp://example.org",
                "tcp://example.org",
                "tcp:example.org:22",
                "//example.org",
                "example.org/",
                "example.org/path",
                "example.org?x",
                "example.org#x",
                "user@example.org",
                "example.org:",
                "example.org:0",
                "example.org:65536",
                "example.org:0443",
                "example.org:+443",
                "example.org:443x",
                "example.org:80,443",
                "example.org:*",
                "example.org:80:443",
                "example.org :443",
                "example.org: 443",
                " example.org",
                "exa mple.org",
                "2001:db8::1",
                "::1",
                "[::1]x",
                "[::1]:",
                "[2001:db8::1%eth0]",
                "2130706433",
                "127.1",
                "0x7f.1",
                "0177.0.0.1",
                "10.0.0.0/8",
                "2001:db8::/32",
                "0.0.0.0",
                "[::]",
                "224.0.0.1",
                "255.255.255.255",
                "[ff02::1]",
                "a_b.example",
                "-a.example",
                "example.org\n",
                "example.org\u0000",
                "tcp://tcp://example.org:22"
            })
    @Tag("NW-11")
    void aRuleThatAllowsNothingOrTooMuchIsRefusedWithItsText(String rule) {
        assertThatThrownBy(() -> EgressRule.allow(rule))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("the rule " + Visible.quoted(rule) + ": ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "*.*",
                "tcp://example.org:22",
                "http://example.org",
                "10.0.0.1/8",
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.0.0.0/08",
                "10.0.0.0/8:443",
                "example.org/8",
                "2001:db8::1/32",
                "::/129",
                "example.org:0"
            })
    void aDenyRuleThatMeansNothingIsRefusedWithItsText(String rule) {
        assertThatThrownBy(() -> EgressRule.deny(rule))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("the rule " + Visible.quoted(rule) + ": ");
    }

    @Test
    void theNarrowestRuleAllowsThatAndNothingElse() {
        Host host = Host.parse("a.example");
        EgressRule rule = EgressRule.narrowest(host, 8443, Traffic.WEB);

        assertThat(rule.text()).isEqualTo("a.example:8443");
        assertThat(EgressRule.allow(rule.text())).isEqualTo(rule);
        assertThat(EgressRule.narrowest(Host.parse("[2001:db8::1]"), 22, Traffic.ANY).text())
                .isEqualTo("tcp://[2001:db8::1]:22");
    }
}
