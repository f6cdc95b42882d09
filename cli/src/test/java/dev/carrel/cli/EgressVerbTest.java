package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressEvent.Protocol;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EgressVerbTest {

    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

    private final FakeProgram program = new FakeProgram();
    private final FakeEgress egress = program.sessions.egress;

    @BeforeEach
    void haveASession() {
        program.sessions.ids.add("calm-otter");
        egress.own =
                new EgressPolicy(
                        EgressRules.parse(List.of("a.example"), List.of("10.0.0.0/8")),
                        Map.of(new Host.Name("db.example"), IpAddress.parse("192.0.2.7")),
                        Optional.of("http://me:secret@proxy.example:3128"),
                        List.of(5432),
                        List.of());
        egress.added = EgressRules.parse(List.of("*.b.example:8443"), List.of());
        egress.events.add(
                new EgressEvent.Allowed(
                        TIME, 1, Protocol.CONNECT, "a.example", 443, "a.example", "192.0.2.1"));
        egress.events.add(new EgressEvent.Closed(TIME, 1, "a.example", 443, 2048, 4096, "done"));
        egress.events.add(
                new EgressEvent.Denied(
                        TIME,
                        2,
                        Protocol.HTTP,
                        "c.example",
                        80,
                        Optional.empty(),
                        "no rule allows it",
                        Optional.of("c.example:80")));
    }

    private int carrel(String... words) {
        return program.carrel(words);
    }

    @Test
    void showsTheRulesAndWhatCameOfThem() {
        assertThat(carrel("egress", "calm")).isZero();

        assertThat(program.out())
                .isEqualTo(
                        """
                        RULE   HOST              FROM
                        allow  a.example         session
                        deny   10.0.0.0/8        session
                        allow  *.b.example:8443  added
                        port 5432 of the host's loopback is reached
                        db.example is at 192.0.2.7
                        everything goes through http://***@proxy.example:3128

                        HOST       PORT  ALLOWED  DENIED  FAILED  SENT  RECEIVED
                        a.example  443   1        0       0       2.0K  4.0K
                        c.example  80    0        1       0       0B    0B
                        """);
    }

    @Test
    void showsTheSameToPrograms() {
        assertThat(carrel("egress", "calm", "--json")).isZero();

        assertThat(program.out())
                .isEqualTo(
                        "{\"session\":\"calm-otter\",\"network\":\"own\",\"rules\":["
                                + "{\"effect\":\"allow\",\"rule\":\"a.example\",\"from\":\"session\"},"
                                + "{\"effect\":\"deny\",\"rule\":\"10.0.0.0/8\",\"from\":\"session\"},"
                                + "{\"effect\":\"allow\",\"rule\":\"*.b.example:8443\",\"from\":\"added\"}],"
                                + "\"hostPorts\":[5432],\"hosts\":{\"db.example\":\"192.0.2.7\"},"
                                + "\"upstream\":\"http://***@proxy.example:3128\",\"counts\":["
                                + "{\"host\":\"a.example\",\"port\":443,\"allowed\":1,\"denied\":0,\"failed\":0,\"sent\":2048,\"received\":4096},"
                                + "{\"host\":\"c.example\",\"port\":80,\"allowed\":0,\"denied\":1,\"failed\":0,\"sent\":0,\"received\":0}]}\n");
    }

    @Test
    void saysWhatAClosedAndAnOpenNetworkAre() {
        egress.own = EgressPolicy.NONE;
        egress.added = EgressRules.NONE;
        egress.events.clear();
        carrel("egress", "calm");
        assertThat(program.out())
                .isEqualTo(
                        "no host can be reached; to change that: carrel egress calm-otter allow"
                                + " HOST\n");
        egress.shared = true;
        carrel("egress", "calm");
        assertThat(program.out())
                .isEqualTo(
                        "calm-otter shares the whole network of the host (sandbox.unshare_net:"
                                + " false)\n");
    }

    @Test
    void changesTheRules() {
        assertThat(carrel("egress", "calm", "allow", "x.example", "y.example")).isZero();
        assertThat(program.out()).contains("allow  x.example   added");
        assertThat(program.err()).isEmpty();
        assertThat(carrel("egress", "calm", "deny", "10.0.0.0/8")).isZero();
        assertThat(carrel("egress", "calm", "reset", "x.example", "--json")).isZero();
        assertThat(carrel("egress", "calm", "reset")).isZero();

        assertThat(egress.asked)
                .containsExactly(
                        "allow [x.example, y.example]",
                        "deny [10.0.0.0/8]",
                        "reset [x.example]",
                        "reset []");
    }

    @Test
    void saysThatRunningCommandsHaveNoWayOut() {
        egress.runningWithout = true;

        assertThat(carrel("egress", "calm", "allow", "x.example")).isZero();

        assertThat(program.err())
                .isEqualTo(
                        "carrel: commands run in calm-otter that have no way out, since nothing was"
                                + " allowed when they started; those that start from now on have it\n");
    }

    @Test
    void listsWhatHappened() {
        assertThat(carrel("egress", "calm", "log")).isZero();

        assertThat(program.out())
                .isEqualTo(
                        """
                        2026-01-02T03:04:05Z  #1  a.example:443  allowed by rule 'a.example', to 192.0.2.1
                        2026-01-02T03:04:05Z  #1  a.example:443  closed: done, 2.0K sent, 4.0K received
                        2026-01-02T03:04:05Z  #2  c.example:80  denied: no rule allows it; 'c.example:80' would allow it
                        """);
        carrel("egress", "calm", "log", "--json");
        assertThat(program.out().lines().toList().getLast())
                .isEqualTo(
                        "{\"time\":\"2026-01-02T03:04:05.678Z\",\"connection\":2,\"host\":\"c.example\","
                                + "\"port\":80,\"event\":\"denied\",\"protocol\":\"http\","
                                + "\"reason\":\"no rule allows it\",\"allow\":\"c.example:80\"}");
    }

    @Test
    void refusesWhatIsNoUse() {
        assertThat(carrel("egress", "calm", "alow", "x.example")).isEqualTo(2);
        assertThat(program.err())
                .isEqualTo(
                        "carrel: there is no 'alow' here; did you mean allow?\n  fix: carrel help"
                                + " egress\n");
        assertThat(carrel("egress", "calm", "allow")).isEqualTo(2);
        assertThat(carrel("egress", "calm", "log", "x.example")).isEqualTo(2);
        assertThat(carrel("egress", "calm", "--follow")).isEqualTo(2);
        assertThat(carrel("egress")).isEqualTo(2);
        assertThat(carrel("egress", "nobody")).isEqualTo(1);
        assertThat(egress.asked).isEmpty();
    }
}
