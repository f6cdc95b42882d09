package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.testing.Requirements;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attack in a real session with the default policy: none succeeds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SandboxDenialIT {

    private @Nullable Victims opened;
    private @Nullable Attackers attackers;

    static Stream<Attack> attacks() {
        return Stream.of(KernelAttacks.all(), FileAttacks.all(), HostAttacks.all())
                .flatMap(List::stream);
    }

    @BeforeAll
    void open() throws Exception {
        Requirements.program("perl");
        Victims victims = new Victims();
        opened = victims;
        attackers = new Attackers(victims, victims.session, attacks().toList());
    }

    @AfterAll
    void remove() throws Exception {
        if (opened != null) {
            opened.remove();
        }
    }

    @ParameterizedTest
    @MethodSource("attacks")
    @Tag("NW-33")
    @Tag("NS-01")
    @Tag("NS-02")
    @Tag("NS-03")
    @Tag("NS-04")
    @Tag("NS-09")
    @Tag("NS-11")
    @Tag("PR-01")
    @Tag("PR-02")
    @Tag("PR-04")
    @Tag("PR-07")
    @Tag("PR-08")
    @Tag("PR-09")
    @Tag("PR-10")
    @Tag("TT-01")
    @Tag("TT-02")
    @Tag("TT-07")
    @Tag("SG-01")
    @Tag("SG-07")
    @Tag("US-01")
    @Tag("US-04")
    @Tag("US-12")
    void denies(Attack attack) throws Exception {
        Objects.requireNonNull(attackers).assertDenied(attack);
    }

    @Test
    void deniesMoreUnderEnforce() throws Exception {
        Victims victims = victims();
        SessionRequest request = SessionRequest.of(victims.origin);
        Session strict =
                victims.fixture.sessions.create(
                        new SessionRequest(
                                request.repos(),
                                Optional.empty(),
                                enforcing(),
                                true,
                                List.of(),
                                List.of()));
        List<Attack> all =
                Stream.of(KernelAttacks.underEnforce(), KernelAttacks.all())
                        .flatMap(List::stream)
                        .toList();
        Attackers those = new Attackers(victims, strict, all);
        for (Attack attack : all) {
            those.assertDenied(attack);
        }
    }

    @Test
    @Tag("PR-06")
    void noProcessCanGainPrivileges() throws Exception {
        String look = "grep '^NoNewPrivs' /proc/self/status /proc/1/status | cut -f2";
        assertThat(run(victims().session, List.of("sh", "-c", look)).outputText())
                .isEqualTo("1\n1\n");
    }

    private CommandResult run(Session where, List<String> argv) throws InterruptedException {
        return where.run(
                new CommandRequest(
                        argv,
                        victims().variables(),
                        Optional.empty(),
                        new CommandRequest.Streams.Captured()));
    }

    private Victims victims() {
        return Objects.requireNonNull(opened);
    }

    private static SandboxPolicy enforcing() {
        SandboxPolicy usual = SandboxPolicy.DEFAULT;
        return new SandboxPolicy(
                usual.network(),
                usual.unshareUts(),
                usual.unshareCgroup(),
                usual.hostname(),
                usual.newSession(),
                SeccompMode.ENFORCE,
                usual.environmentMode(),
                usual.inheritedVariables(),
                usual.persistentHome(),
                usual.sessionTmp(),
                usual.extraReadOnly(),
                usual.mask());
    }
}
