package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts to reach what no rule allows; each has a counterpart that gets through. */
@Timeout(20)
class EgressDenialIT {

    private static String connect(ServedProxy proxy, String target) throws Exception {
        try (Client client = proxy.client()) {
            client.request("CONNECT " + target + " HTTP/1.1", "Host: " + target);
            return client.head();
        }
    }

    /** NW-04: an address that is not in the list, however it is written. */
    @Test
    @Tag("NW-04")
    void anAddressThatIsNotListedIsNotReached() throws Exception {
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy = ServedProxy.allowing("tcp://127.0.0.1:" + server.port())) {
            assertThat(connect(proxy, "127.0.0.1:" + server.port())).startsWith("HTTP/1.1 200 ");
            assertThat(connect(proxy, "[::ffff:127.0.0.1]:" + server.port()))
                    .as("this is the same address")
                    .startsWith("HTTP/1.1 200 ");
            int reached = server.connections();
            for (String other :
                    List.of(
                            "127.0.0.2",
                            "[::1]",
                            "[::127.0.0.1]",
                            "[64:ff9b::7f00:1]",
                            "0.0.0.0")) {
                assertThat(connect(proxy, other + ":" + server.port()))
                        .startsWith("HTTP/1.1 403 ")
                        .contains("no rule allows it");
            }
            for (String odd :
                    List.of("2130706433", "127.1", "0", "0x7f.1", "0177.0.0.1", "127.0.1")) {
                assertThat(connect(proxy, odd + ":" + server.port())).startsWith("HTTP/1.1 400 ");
            }
            assertThat(server.connections()).isEqualTo(reached);
        }
    }

    /** NW-05 and NW-06: an allowed name that leads to what is not public. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, loopback",
        "::1, loopback",
        "::127.0.0.1, loopback (as 127.0.0.1)",
        "::ffff:127.0.0.1, loopback",
        "64:ff9b::7f00:1, loopback (as 127.0.0.1)",
        "2002:7f00:1::, loopback (as 127.0.0.1)",
        "10.0.0.1, a private network",
        "169.254.169.254, a metadata service",
        "fd00:ec2::254, a metadata service",
        "fd12::1, a private network",
        "fe80::1, link-local",
        "100.64.0.1, a network of carriers",
        "192.0.0.192, a metadata service",
        "198.18.0.1, for benchmarks",
        "240.0.0.1, reserved",
        "0.0.0.0, this host",
        "224.0.0.1, multicast"
    })
    @Tag("NW-05")
    @Tag("NW-06")
    @Tag("NW-39")
    void anAllowedNameThatLeadsInsideIsNotDialled(String address, String kind) throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("allowed.example")) {
            proxy.name("allowed.example", address);

            String answer = connect(proxy, "allowed.example:443");
            assertThat(answer)
                    .startsWith("HTTP/1.1 403 egress to allowed.example:443 is denied: ")
                    .contains(", which is " + kind);
            assertThat(proxy.events(EgressEvent.Denied.class)).hasSize(1);
        }
    }

    /** The explicit exception: the address itself is in the list. */
    @Test
    void anAddressInTheListIsTheExceptionForANameToo() throws Exception {
        try (LocalServer server = LocalServer.http("hello")) {
            String rule = "allowed.example:" + server.port();
            try (ServedProxy with = ServedProxy.allowing(rule, "127.0.0.1:" + server.port());
                    ServedProxy without = ServedProxy.allowing(rule)) {
                for (ServedProxy proxy : List.of(with, without)) {
                    proxy.name("allowed.example", "127.0.0.1");
                    try (Client client = proxy.client()) {
                        client.request("GET http://" + rule + "/ HTTP/1.1", "Host: " + rule);
                        assertThat(client.head())
                                .startsWith(proxy == with ? "HTTP/1.1 200 " : "HTTP/1.1 403 ");
                    }
                }
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    /** The own addresses of this machine are none of the internet, public or not. */
    @Test
    void theMachinesOwnAddressesAreNotDialled() throws Exception {
        List<IpAddress> own =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .map(address -> IpAddress.of(address.getAddress()))
                        .toList();
        assertThat(own).isNotEmpty();
        OwnAddresses addresses = new OwnAddresses();
        for (IpAddress address : own) {
            assertThat(addresses.contains(address)).isTrue();
        }
        assertThat(addresses.contains(IpAddress.parse("192.0.2.77"))).isFalse();
    }

    @Test
    void aDeniedBlockHoldsAfterResolutionAndAgainstAnException() throws Exception {
        EgressRules rules =
                new EgressRules(
                        List.of(
                                EgressRule.allow("allowed.example"),
                                EgressRule.allow("198.51.100.7")),
                        List.of(EgressRule.deny("198.51.100.0/24")));
        try (ServedProxy proxy = ServedProxy.of(rules, same -> same)) {
            for (String address : List.of("198.51.100.7", "64:ff9b::c633:6407")) {
                proxy.name("allowed.example", address);
                assertThat(connect(proxy, "allowed.example:443"))
                        .startsWith("HTTP/1.1 403 ")
                        .contains("which rule '198.51.100.0/24' denies");
            }
        }
    }

    /** NW-07: every connection asks once, and dials what was judged. */
    @Test
    @Tag("NW-07")
    void aResolverThatAnswersDifferentlyEachTimeIsAskedOnce() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (LocalServer server = LocalServer.http("inside")) {
            String rule = "rebind.example:" + server.port();
            EgressRules rules = EgressRules.parse(List.of(rule, "127.0.0.2"), List.of());
            Resolver flipping =
                    _ ->
                            List.of(
                                    IpAddress.parse(
                                            asked.getAndIncrement() % 2 == 0
                                                    ? "198.51.100.1"
                                                    : "127.0.0.1"));
            try (ServedProxy proxy =
                    ServedProxy.of(rules, settings -> settings.withResolver(flipping))) {
                for (int i = 1; i <= 6; i++) {
                    assertThat(connect(proxy, rule)).startsWith("HTTP/1.1 403 ");
                    assertThat(asked).hasValue(i);
                }
            }
            assertThat(server.connections()).isZero();
        }
    }

    /** NW-08. */
    @Test
    @Tag("NW-08")
    void oneAddressOfSeveralThatIsInsideIsNeverTried() throws Exception {
        try (LocalServer good = LocalServer.http("good")) {
            String rule = "mixed.example:" + good.port();
            EgressRules rules =
                    EgressRules.parse(List.of(rule, "127.0.0.1:" + good.port()), List.of());
            Resolver mixed =
                    _ -> List.of(IpAddress.parse("127.0.0.2"), IpAddress.parse("127.0.0.1"));
            try (ServedProxy proxy =
                            ServedProxy.of(rules, settings -> settings.withResolver(mixed));
                    Client client = proxy.client()) {
                client.request("GET http://" + rule + "/ HTTP/1.1", "Host: " + rule);

                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
                assertThat(proxy.events(EgressEvent.Allowed.class))
                        .extracting(EgressEvent.Allowed::address)
                        .containsExactly("127.0.0.1");
            }
        }
    }

    /** NW-09 and NW-10. */
    @Test
    @Tag("NW-09")
    void spellingsOfANameHaveOneVerdict() throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("allowed.example", "*.wild.example")) {
            for (String same :
                    List.of(
                            "allowed.example",
                            "ALLOWED.example.",
                            "a.wild.example",
                            "A.B.WILD.EXAMPLE")) {
                assertThat(connect(proxy, same + ":443"))
                        .as("allowed, and not in the table of names")
                        .startsWith("HTTP/1.1 502 ");
            }
            for (String other :
                    List.of(
                            "evilallowed.example",
                            "allowed.example.evil.example",
                            "wild.example",
                            "awild.example",
                            "sub.allowed.example")) {
                assertThat(connect(proxy, other + ":443")).startsWith("HTTP/1.1 403 ");
            }
        }
    }

    /** NW-12, NW-13, NW-14, NW-15 over the wire; more of them in the tables of the readers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "allowed.example\u0000.evil.example",
                "allowed.example%00",
                "allowed%2eexample",
                "allowed.example\\",
                "allowed_host.example",
                "allowed..example",
                ".allowed.example",
                "allowed.example@evil.example",
                "\u00e0llowed.example",
                "[fe80::1%lo.allowed.example]"
            })
    @Tag("NW-12")
    @Tag("NW-13")
    @Tag("NW-14")
    @Tag("NW-15")
    void aHostThatIsNoneIsRefusedBeforeItIsJudged(String host) throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("allowed.example", "*.allowed.example")) {
            proxy.name("allowed.example", "127.0.0.1");

            assertThat(connect(proxy, host + ":443")).startsWith("HTTP/1.1 400 ");
            assertThat(proxy.asked()).isEmpty();
            assertThat(proxy.events()).hasOnlyElementsOfType(EgressEvent.Refused.class);
        }
    }

    /** NW-16. */
    @Test
    @Tag("NW-16")
    void onlyThePortsOfARuleAreReached() throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("allowed.example", "other.example:443")) {
            assertThat(connect(proxy, "allowed.example:80")).startsWith("HTTP/1.1 502 ");
            assertThat(connect(proxy, "other.example:443")).startsWith("HTTP/1.1 502 ");
            for (String port : List.of("22", "25", "8443", "444")) {
                assertThat(connect(proxy, "allowed.example:" + port))
                        .startsWith("HTTP/1.1 403 ")
                        .contains("(rule 'allowed.example' others)");
            }
            assertThat(connect(proxy, "other.example:80")).startsWith("HTTP/1.1 403 ");
            for (String odd : List.of("0", "65536", "0443", "+443", "443x", "")) {
                assertThat(connect(proxy, "allowed.example:" + odd)).startsWith("HTTP/1.1 400 ");
            }
        }
    }

    /** NW-17. */
    @Test
    @Tag("NW-17")
    void aTunnelLeadsWhereItsFirstLineSays() throws Exception {
        try (LocalServer server = LocalServer.echo();
                ServedProxy proxy = ServedProxy.allowing("tcp://127.0.0.1:" + server.port());
                Client client = proxy.client()) {
            client.request("CONNECT 127.0.0.1:" + server.port() + " HTTP/1.1", "Host: evil:1");

            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    /** NW-25: not the proxy itself, nor anything else on the machine. */
    @Test
    @Tag("NW-25")
    void theMachineItselfIsNotReachedThroughANameOfItsOwn() throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("*.allowed.example", "metadata.internal")) {
            proxy.name("me.allowed.example", "127.0.0.1");
            proxy.name("metadata.internal", "169.254.169.254");

            assertThat(connect(proxy, "me.allowed.example:443")).startsWith("HTTP/1.1 403 ");
            // NW-39: the name of a metadata service.
            assertThat(connect(proxy, "metadata.internal:80"))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("a metadata service");
        }
    }

    /** NW-32: the name of a denied host would carry what it likes to whoever serves its zone. */
    @Test
    @Tag("NW-32")
    void dnsIsNeverAskedForADeniedName() throws Exception {
        EgressRules rules =
                EgressRules.parse(List.of("*.allowed.example"), List.of("bad.allowed.example"));
        try (ServedProxy proxy = ServedProxy.of(rules, same -> same)) {
            connect(proxy, "secret.evil.example:443");
            connect(proxy, "bad.allowed.example:443");
            connect(proxy, "a.allowed.example:22");
            assertThat(proxy.asked()).isEmpty();
            connect(proxy, "a.allowed.example:443");
            assertThat(proxy.asked()).containsExactly("a.allowed.example");
        }
    }

    @Test
    void anAddressOfTheSettingsStandsForDnsAndIsJudgedAsAnyOther() throws Exception {
        Map<Host.Name, IpAddress> hosts =
                Map.of(new Host.Name("set.example"), IpAddress.parse("127.0.0.1"));
        try (LocalServer server = LocalServer.http("hello")) {
            String name = "set.example:" + server.port();
            EgressRules without = EgressRules.parse(List.of(name), List.of());
            EgressRules with =
                    EgressRules.parse(List.of(name, "127.0.0.1:" + server.port()), List.of());
            try (ServedProxy proxy =
                    ServedProxy.of(without, settings -> settings.withHosts(hosts))) {
                assertThat(connect(proxy, name)).startsWith("HTTP/1.1 403 ").contains("loopback");
                proxy.change(with);
                try (Client client = proxy.client()) {
                    client.request("GET http://" + name + "/ HTTP/1.1", "Host: " + name);
                    assertThat(client.head()).startsWith("HTTP/1.1 200 ");
                }
                assertThat(proxy.asked()).isEmpty();
            }
        }
    }

    /** NW-36: what was asked for cannot write lines into answers or logs. */
    @Test
    @Tag("NW-36")
    void whatWasAskedForIsEscapedAndBounded() throws Exception {
        try (ServedProxy proxy = ServedProxy.allowing("allowed.example")) {
            String escape = "\u001b[31m\u0007" + "x".repeat(3000);
            for (String target :
                    List.of("evil\u0080\u009b31m:443", "a\u00e9" + "x".repeat(3000) + ":443")) {
                String answer = connect(proxy, target);
                assertThat(answer).startsWith("HTTP/1.1 400 ").matches("[ -~\r\n]{1,800}");
            }
            assertThat(connect(proxy, "evil" + escape + ":443")).startsWith("HTTP/1.1 400 ");
            assertThat(proxy.events(EgressEvent.Refused.class))
                    .hasSize(3)
                    .allSatisfy(event -> assertThat(event.reason()).matches("[ -~]{1,300}"));
        }
    }

    /** NW-37: the answer says who denies, what decided, and what to do. */
    @Test
    @Tag("NW-37")
    void aDenialSaysWhatDecidedAndWhatToDo() throws Exception {
        EgressRules rules = EgressRules.parse(List.of("a.example"), List.of("b.example"));
        try (ServedProxy proxy = ServedProxy.of(rules, same -> same)) {
            try (Client client = proxy.client()) {
                client.request("GET http://b.example/ HTTP/1.1", "Host: b.example");
                assertThat(client.rest())
                        .startsWith(
                                "HTTP/1.1 403 egress to b.example:80 is denied: rule 'b.example'")
                        .contains("\r\nCarrel-Egress: denied\r\n")
                        .endsWith("\nas long as the rule is there nothing allows it\n");
            }
            assertThat(proxy.events(EgressEvent.Denied.class))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.rule()).contains("b.example");
                        assertThat(event.cure()).isEmpty();
                        assertThat(event.host()).isEqualTo("b.example");
                        assertThat(event.port()).isEqualTo(80);
                    });
        }
    }

    /** NW-40: whatever the JVM was told about proxies is none of the session's business. */
    @Test
    @Tag("NW-40")
    void theJvmsOwnProxiesAreNotUsed() throws Exception {
        try (LocalServer server = LocalServer.http("direct");
                LocalServer other = LocalServer.http("by proxy");
                ServedProxy proxy = ServedProxy.allowing("127.0.0.1:" + server.port());
                Client client = proxy.client()) {
            String before = System.getProperty("socksProxyHost", "");
            System.setProperty("socksProxyHost", "127.0.0.1");
            System.setProperty("socksProxyPort", Integer.toString(other.port()));
            System.setProperty("http.proxyHost", "127.0.0.1");
            System.setProperty("http.proxyPort", Integer.toString(other.port()));
            try {
                String host = "127.0.0.1:" + server.port();
                client.request("GET http://" + host + "/ HTTP/1.1", "Host: " + host);
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
                assertThat(client.text(6)).isEqualTo("direct");
                assertThat(other.connections()).isZero();
            } finally {
                List.of("socksProxyHost", "socksProxyPort", "http.proxyHost", "http.proxyPort")
                        .forEach(System::clearProperty);
                assertThat(before).isEmpty();
            }
        }
    }

    @Test
    void rulesThatCannotBeReadDenyEverything() throws Exception {
        try (ServedProxy proxy =
                ServedProxy.of(
                        EgressRules.NONE,
                        settings ->
                                new ProxySettings(
                                        () -> {
                                            throw new IllegalStateException("no rules");
                                        },
                                        settings.listener(),
                                        settings.command(),
                                        settings.limits(),
                                        settings.hosts(),
                                        settings.upstream(),
                                        settings.resolver()))) {
            assertThat(connect(proxy, "allowed.example:443")).isEmpty();
            // It closes the connection first, then notes why.
            for (int look = 0; proxy.proxy().failure().isEmpty() && look < 200; look++) {
                Thread.sleep(10);
            }
            assertThat(proxy.proxy().failure()).isPresent();
            assertThat(proxy.asked()).isEmpty();
        }
    }
}
