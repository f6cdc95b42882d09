package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressEvent.Protocol;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.session.CommandNetwork;
import dev.carrel.core.session.NetworkResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What commands have of the network, and what is said of it. */
class NetworkVerbsTest {

    private final FakeProgram program = new FakeProgram();
    private final FakeSessions sessions = program.sessions;

    private int carrel(String... words) {
        return program.carrel(words);
    }

    private List<EgressRule> allowedOfTheSession() {
        return sessions.created.getLast().policy().network().egress().rules().allow();
    }

    private static EgressEvent.Denied denied(String host, Optional<String> rule) {
        return new EgressEvent.Denied(
                Instant.EPOCH,
                1,
                Protocol.CONNECT,
                host,
                443,
                rule,
                rule.map(text -> "rule '" + text + "' denies it").orElse("no rule allows it"),
                rule.isPresent() ? Optional.empty() : Optional.of(host + ":443"));
    }

    @Test
    void allowsHostsForANewSession() {
        assertThat(carrel("run", "--allow", "example.org", "--allow=*.example.net:8443", "true"))
                .isZero();

        assertThat(allowedOfTheSession())
                .containsExactly(
                        EgressRule.allow("example.org"), EgressRule.allow("*.example.net:8443"));
        assertThat(sessions.ran.getFirst().network()).isEqualTo(CommandNetwork.AS_SESSION);

        assertThat(
                        carrel(
                                "session",
                                "new",
                                "--set",
                                "egress.allow=example.com",
                                "--allow",
                                "example.org"))
                .isZero();
        assertThat(allowedOfTheSession())
                .containsExactly(EgressRule.allow("example.com"), EgressRule.allow("example.org"));
    }

    @Test
    void allowsHostsForOneCommandOfASessionThatExists() {
        sessions.ids.add("calm-otter");
        CommandNetwork wanted = CommandNetwork.of(List.of("example.org"), List.of(3000));

        carrel("exec", "calm", "--allow", "example.org", "--publish", "3000", "--", "true");
        carrel("shell", "calm", "--allow", "example.org", "--publish", "3000");
        carrel("run", "--session", "calm", "--allow", "example.org", "--publish=3000", "true");

        assertThat(sessions.ran).hasSize(3).allMatch(ran -> ran.network().equals(wanted));
        assertThat(sessions.created).isEmpty();
    }

    @Test
    void saysEveryProblemOfRulesAndPorts() {
        assertThat(carrel("run", "--allow", "*", "--allow", "https://x.example/", "true"))
                .isEqualTo(125);
        assertThat(program.err().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("carrel: --allow: the rule '"));
        sessions.ids.add("calm-otter");
        assertThat(carrel("exec", "calm", "--allow=*.com", "--publish", "x", "--publish=0", "id"))
                .isEqualTo(125);
        assertThat(program.err().lines())
                .hasSize(3)
                .contains("carrel: 'x' is no port that can be published; use 1 to 65535");
        assertThat(sessions.ran).isEmpty();
    }

    @Test
    void refusesToAllowWhatIsDenied() {
        assertThat(
                        carrel(
                                "run",
                                "--set",
                                "egress.deny=*.example.org",
                                "--allow=a.example.org",
                                "id"))
                .isEqualTo(125);
        assertThat(program.err())
                .isEqualTo(
                        "carrel: --set egress.deny: the rule 'a.example.org' can never match:"
                                + " '*.example.org' denies all of it\n");
    }

    @Test
    void saysWhatWasDeniedAndWhatWouldAllowIt() {
        sessions.network =
                new NetworkResult(
                        List.of(
                                denied("a.example", Optional.empty()),
                                denied("b.example", Optional.of("b.example"))),
                        Optional.empty());

        carrel("run", "--keep", "true");
        assertThat(program.err())
                .isEqualTo(
                        """
                        carrel: egress to a.example:443 was denied: no rule allows it; to allow it: \
                        carrel egress calm-otter allow a.example:443
                        carrel: egress to b.example:443 was denied: rule 'b.example' denies it
                        """);
        carrel("exec", "calm", "true");
        assertThat(program.err()).contains("carrel egress calm-otter allow a.example:443");
        carrel("shell", "calm");
        assertThat(program.err()).contains("carrel egress calm-otter allow a.example:443");
        carrel("run", "--rm", "true");
        assertThat(program.err()).contains("to allow it: carrel run --allow a.example:443\n");
    }

    @Test
    void saysFiveDenialsAndHowManyMore() {
        sessions.network =
                new NetworkResult(
                        IntStream.range(0, 7)
                                .mapToObj(i -> denied("h" + i + ".example", Optional.empty()))
                                .toList(),
                        Optional.of("its proxy has stopped"));

        carrel("run", "--keep", "true");

        assertThat(program.err().lines())
                .hasSize(7)
                .startsWith(
                        "carrel: the session's network was lost while the command ran: its proxy has"
                                + " stopped; nothing was reached since, the next command has it again")
                .endsWith("carrel: and 2 more: carrel egress calm-otter log");
    }

    @Test
    void putsDenialsIntoTheObject() {
        sessions.network =
                new NetworkResult(
                        List.of(
                                denied("a.example", Optional.empty()),
                                denied("b.example", Optional.of("*.example"))),
                        Optional.of("it went"));

        carrel("run", "--json", "true");

        assertThat(program.out())
                .endsWith(
                        "\"changes\":[],\"denied\":[{\"host\":\"a.example\",\"port\":443,"
                                + "\"reason\":\"no rule allows it\",\"allow\":\"a.example:443\"},"
                                + "{\"host\":\"b.example\",\"port\":443,\"rule\":\"*.example\","
                                + "\"reason\":\"rule '*.example' denies it\"}],"
                                + "\"networkLost\":\"it went\"}\n");
    }
}
